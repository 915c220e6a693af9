"""Logging in by a provider outside, which vouches for people."""
