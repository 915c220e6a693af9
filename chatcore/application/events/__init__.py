"""Event queues: following the log, waking polls, and forming what each client gets."""
