"""Commands about what people have written and uploaded."""
