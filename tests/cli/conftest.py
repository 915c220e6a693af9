"""An empty working directory for each test of the commands."""

from tests.test_cli import home

__all__ = ["home"]
