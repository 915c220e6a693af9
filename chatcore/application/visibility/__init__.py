"""Who sees which person, channel, topic and message, and what clients are told when that changes."""
