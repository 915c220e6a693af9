"""The organization: founding it, its settings, and the lists that administrators keep."""
