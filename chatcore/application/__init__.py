"""The use cases: gather, decide, store, announce, each in one transaction."""
