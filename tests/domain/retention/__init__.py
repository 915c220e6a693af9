"""What is due, and what is held."""
