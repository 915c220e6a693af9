"""People and bots: the endpoints."""
