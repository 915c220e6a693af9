"""Delivery of messages: rendering, storing, links to files, topic policies, notices, removal."""
