"""The organization: its settings, and the lists that administrators maintain."""
