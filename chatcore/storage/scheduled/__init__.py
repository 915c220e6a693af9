"""The protocol for messages and reminders that wait for their time."""
