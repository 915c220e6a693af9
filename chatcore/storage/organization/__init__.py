"""Protocols for the organization, its configuration, and progress of imports."""
