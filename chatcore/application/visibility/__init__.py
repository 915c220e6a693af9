"""Visibility of people, channels, topics and messages, and the events by which clients follow its changes."""
