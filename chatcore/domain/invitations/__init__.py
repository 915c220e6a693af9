"""Invitations, by address and by link."""
