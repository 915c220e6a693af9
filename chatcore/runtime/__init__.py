"""What requests and tasks run in: turns, lanes, suspensions, alarms, signals, counts, work beside the loop.

Nothing here knows a use case; `chatcore.application.services` has one of each.
"""
