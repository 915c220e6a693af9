"""Conformance tests of `chatcore.storage.people`."""
