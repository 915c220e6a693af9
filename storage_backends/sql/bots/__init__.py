"""Bots: their settings, and the queue of their calls."""
