"""Event queues: following the log, waking polls, and forming events for each client."""
