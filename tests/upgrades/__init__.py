"""Organizations of earlier versions, as dumps of their databases, are upgraded."""
