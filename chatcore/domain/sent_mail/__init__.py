"""Mails about missed messages: who gets one, how messages look in it, and what a link in it ends."""
