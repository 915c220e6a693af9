"""Messages: the endpoints."""
