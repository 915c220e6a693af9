"""Tests of the SQL of both databases: the schema, statements and their plans."""
