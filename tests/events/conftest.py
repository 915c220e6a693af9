"""The organization whose events are followed."""

from tests.http.world import ada, bea, cem, gus, make_world, olga, robo, world

__all__ = ["ada", "bea", "cem", "gus", "make_world", "olga", "robo", "world"]
