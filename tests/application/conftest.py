"""The organization whose use cases are called."""

from tests.worlds.organization import ada, bea, cem, gus, make_world, olga, robo, world

__all__ = ["ada", "bea", "cem", "gus", "make_world", "olga", "robo", "world"]
