"""Invitations: the endpoints, and the pages on which people join."""
