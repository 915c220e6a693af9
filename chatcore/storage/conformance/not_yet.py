"""A base for stores that are being written, which names the methods that they lack."""

from typing import Any


class NotYet:
    """A unit of work, or a repository of one, of which a subclass has a part. A call of anything else is
    refused with its name, such as `Unit.messages.add`.
    """

    def __init__(self, name: str = "") -> None:
        self._name = name or type(self).__name__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return NotYet(f"{self._name}.{name}")

    def __call__(self, *arguments: object, **named: object) -> Any:
        raise NotImplementedError(f"{self._name} is not there yet")
