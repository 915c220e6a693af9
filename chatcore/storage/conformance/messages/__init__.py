"""Conformance tests of `chatcore.storage.messages`."""
