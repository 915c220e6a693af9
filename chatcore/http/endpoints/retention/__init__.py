"""Legal holds: the endpoints."""
