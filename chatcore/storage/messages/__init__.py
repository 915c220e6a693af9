"""Protocols for messages, their edits, flags, reactions and additions, and for drafts."""
