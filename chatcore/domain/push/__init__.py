"""Pushes to browsers: their subscriptions, and what they say."""
