"""The use cases: gather, decide, store, announce, each in one transaction.

Each folder is a noun and knows only those below it, from `events` down to `visibility`; the modules that lie
here are the ground floor. The contract is in `pyproject.toml`, "the rooms of the application".
"""
