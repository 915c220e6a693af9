"""Mail that becomes messages: its parts, and what of its text is kept."""
