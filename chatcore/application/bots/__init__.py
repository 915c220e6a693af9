"""Bots: making and changing them, their services, and what other programs send through them."""
