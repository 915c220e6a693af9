"""Event queues: the endpoints."""
