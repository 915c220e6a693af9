"""Archives of messages from elsewhere."""
