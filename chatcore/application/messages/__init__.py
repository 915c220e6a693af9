"""Messages: sending, fetching, changing, deleting, reading and reacting to them."""
