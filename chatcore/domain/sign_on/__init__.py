"""People for whom a provider outside vouches: rules."""
