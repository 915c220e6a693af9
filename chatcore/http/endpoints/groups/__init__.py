"""User groups: the endpoints."""
