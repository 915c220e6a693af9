"""Invitations, joining, and links that people follow from a mail."""
