"""Channels: making, changing and listing them, and who is subscribed."""
