"""Protocols for accounts, groups, and data that belongs to one account."""
