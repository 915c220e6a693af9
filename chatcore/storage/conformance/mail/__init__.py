"""Conformance tests of mails and confirmations."""
