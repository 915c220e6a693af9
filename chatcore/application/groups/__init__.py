"""User groups: making, changing and listing them, and who is in them."""
