"""Request bodies, read piece by piece."""
