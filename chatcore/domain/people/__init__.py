"""People and bots: accounts, names, settings, presence, statuses, pictures and keys."""
