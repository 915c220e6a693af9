"""Uploaded files and pictures, and the permission to read them."""
