"""Conformance tests of `chatcore.storage.archives`."""
