"""Exports of the organization: their kinds, and the consents of people."""
