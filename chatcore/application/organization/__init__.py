"""The organization: its creation, its settings, and the lists that administrators maintain."""
