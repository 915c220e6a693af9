"""Conformance tests of `chatcore.storage.channels`."""
