"""Bots: their settings, calls of their services, built-in bots, and what other programs send through them."""
