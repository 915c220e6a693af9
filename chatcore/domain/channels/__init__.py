"""Channels and subscriptions, their settings, and the permissions that changes require."""
