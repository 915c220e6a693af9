"""Mails: written in the unit of work of a change, and sent by a thread of each process."""
