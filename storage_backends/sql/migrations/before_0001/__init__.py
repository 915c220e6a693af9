"""The migrations that `0001_the_tables` has replaced, for the databases that were made by them.

They run as they were; the last of them leaves the tables that `0001_the_tables` makes.
"""
