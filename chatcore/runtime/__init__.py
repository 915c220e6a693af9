"""The engine room: turns, lanes, suspensions, alarms, signals and counts of requests and tasks.

Nothing here knows a use case; `chatcore.application.services` has one of each.
"""
