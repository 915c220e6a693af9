"""Commands about accounts and their sessions."""
