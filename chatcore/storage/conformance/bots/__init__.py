"""`chatcore.storage.bots`."""
