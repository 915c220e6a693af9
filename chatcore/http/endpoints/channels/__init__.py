"""Channels: the endpoints."""
