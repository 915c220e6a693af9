"""Inline rules: emphasis, code, links, linkifiers, mentions and times."""
