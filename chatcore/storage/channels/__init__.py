"""Protocols for channels, subscriptions and topic policies."""
