"""What happened and who hears of it: typed events, audiences as rules, queues. No I/O."""
