"""Messages and reminders that wait for their time, and their delivery."""
