"""Protocols of subscriptions of browsers, and of pushes that wait."""
