"""Backups of an organization: its database, its files and, if wanted, its secret, in a folder.

The folder has the bytes of each file once, and a folder for each backup with what differs. They are made by
`making`, read again by `checking` and put back by `restoring`; docs/backups.md describes them.
"""
