"""Messages and reminders that wait for their time: the rules."""
