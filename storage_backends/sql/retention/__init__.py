"""Deleting what is old, and what is held."""
