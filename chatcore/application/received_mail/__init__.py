"""Receiving mail: at the addresses of channels, and answers to mails about missed messages."""
