"""User groups: creating, changing and listing them, and their members."""
