"""The use cases: read, decide, store, announce, each in one transaction.

Each folder is a noun and imports only the folders below it, from `events` down to `visibility`; the modules
in this folder are the lowest layer. The contract is in `pyproject.toml`, "the rooms of the application".

In docstrings, "no such channel for the actor" covers two cases with the same error: the channel does not
exist, or the actor may not know of it. The same holds for messages, users and files.
"""
