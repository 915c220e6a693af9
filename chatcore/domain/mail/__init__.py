"""Mails: what waits to be sent, and links that confirm an address."""
