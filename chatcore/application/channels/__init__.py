"""Channels: creating, changing and listing them, and their subscribers."""
