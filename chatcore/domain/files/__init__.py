"""Uploaded files and pictures: names, types, formats and limits."""
