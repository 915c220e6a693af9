"""Receiving mail at the addresses of channels."""
