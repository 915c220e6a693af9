"""The bodies of requests, read a piece at a time."""
