"""Deleting what is too old, and holds."""
