"""Sending mails: those of the outbox, and those about messages that people have missed."""
