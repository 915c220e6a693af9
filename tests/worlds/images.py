"""Uploaded images whose thumbnails are made only when a test says so."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import inf

from chatcore.application.files.thumbnails import make_due
from chatcore.runtime.alarm import Alarms
from tests.worlds.files import uploads
from tests.worlds.organization import Someone, World
from tests.worlds.pictures import picture


@contextmanager
def thumbnails_wait(world: World) -> Iterator[None]:
    """Keep images pending: their thread runs, and does nothing."""
    alarm = world.svc.alarms.thumbnails
    alarm.task = lambda: inf
    alarm.start()
    try:
        yield
    finally:
        alarm.stop()


def make_thumbnails(world: World) -> None:
    """Make those that wait, as their thread does."""
    make_due(replace(world.svc, alarms=Alarms()))


def shows_image(someone: Someone, data: bytes | None = None, name: str = "x.png") -> str:
    """Upload an image; return its address."""
    url: str = uploads(someone, picture() if data is None else data, name)["url"]
    return url


def thumbnail(url: str, name: str = "840x560.webp") -> str:
    return url.replace("/user_uploads/", "/user_uploads/thumbnail/") + f"/{name}"
