"""The organization: the endpoints."""
