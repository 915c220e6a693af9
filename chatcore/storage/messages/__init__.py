"""Protocols for messages, their edits, flags, reactions and additions, for drafts and saved snippets."""
