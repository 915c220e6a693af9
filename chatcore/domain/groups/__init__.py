"""User groups: actors, system groups, permission settings and their holders."""
