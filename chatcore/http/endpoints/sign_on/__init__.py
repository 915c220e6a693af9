"""Endpoints where people come from a login service outside."""
