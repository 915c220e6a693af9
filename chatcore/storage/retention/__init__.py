"""The protocols for deleting what is old, and for what is held."""
