"""Uploaded files and pictures, and who may read them."""
