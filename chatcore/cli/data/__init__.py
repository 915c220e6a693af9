"""Commands about databases, archives, backups and imports."""
