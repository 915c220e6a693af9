"""Messages: who may read, edit, move and delete them; their text, flags, reactions and additions."""
