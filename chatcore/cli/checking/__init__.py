"""Commands about what a server needs, and whether rows fit together."""
