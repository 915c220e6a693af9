"""Exports of the organization: the endpoints."""
