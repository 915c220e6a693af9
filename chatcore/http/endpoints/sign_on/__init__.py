"""Logging in by a provider outside: the addresses to which browsers and providers come."""
