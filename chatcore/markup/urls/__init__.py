"""Addresses: which may be linked to, top-level domains, and URL templates."""
