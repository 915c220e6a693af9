"""Requests to providers of OpenID Connect, and the checks of what they answer."""
