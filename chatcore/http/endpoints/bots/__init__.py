"""Bots: the endpoints."""
