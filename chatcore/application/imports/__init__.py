"""Importing archives of messages."""
