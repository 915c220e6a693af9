"""Runs the suite: in two parts (`python -m tests.running`), or many times under load (`… .stress`)."""
