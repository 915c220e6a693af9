"""Conformance tests of `chatcore.storage.scheduled`."""
