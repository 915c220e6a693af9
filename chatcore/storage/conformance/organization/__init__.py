"""Conformance tests of `chatcore.storage.organization`."""
