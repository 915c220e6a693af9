"""The organizations, people and clients that many tests share."""
