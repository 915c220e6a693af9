"""Files and pictures: the endpoints."""
