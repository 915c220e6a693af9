"""What an operator does with servers and organizations."""
