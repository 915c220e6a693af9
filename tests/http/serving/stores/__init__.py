"""A served store that is full, gone, moved, newer than the program, or silent."""
