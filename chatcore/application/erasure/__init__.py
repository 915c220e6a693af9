"""Erasing people: what is stored of a person goes, and others find a name without meaning in its place."""
