"""Typed events, audiences as rules, and queues. No I/O."""
