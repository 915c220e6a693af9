"""Pushes to browsers: subscriptions, gathering what people miss, and sending it."""
