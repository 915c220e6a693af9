"""Organizations, people and clients shared by many tests."""
