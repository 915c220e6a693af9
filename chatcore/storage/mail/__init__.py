"""Protocols of mails that wait, and of links that confirm an address."""
