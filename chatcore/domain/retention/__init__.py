"""How long messages are kept, and what is kept whoever wants to delete it: the rules."""
