"""Conformance tests of invitations."""
