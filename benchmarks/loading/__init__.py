"""The parts of the load driver, `python -m benchmarks.load`."""
