"""Scheduled messages and reminders: the endpoints."""
