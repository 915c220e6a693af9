"""Subscriptions of browsers to pushes."""
