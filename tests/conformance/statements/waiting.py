"""What is stated and not built: each moves to its chapter with the test that shows it."""

from collections.abc import Mapping

WAITING: Mapping[str, str] = {}
