"""What becomes of a message: rendering, storing, links to files, topic policies, notices, removal."""
