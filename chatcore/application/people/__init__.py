"""People and bots: accounts, roles, profiles, presence, settings, pictures, sessions and keys."""
