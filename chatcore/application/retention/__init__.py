"""Deleting what is older than it is kept, and holds that keep it."""
