"""Statements of several reads, which are sent before the first result is awaited.

A read is a function that runs statements. It is run until it needs a result, and its statement is noted; so
are the others. Then all these statements are sent, and when the results have arrived, the reads run again and
find them. So a read says nowhere which statements it needs. A statement is known by its object, so it belongs
to a module, and no read makes one.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

from storage_backends.sql.statement import Compiled

T = TypeVar("T")

ROUNDS: Final = 2
"""How often statements are sent together. Few reads have a third statement, which needs the result of a
second one; and each round runs again what comes before it.
"""


class Result(NamedTuple):
    """The rows of a statement, with the cursor that knows their columns."""

    cursor: Any
    rows: Sequence[Any]


@dataclass(slots=True)
class Needed:
    """A statement whose result a read needs."""

    compiled: Compiled
    values: Mapping[str, object]
    result: Result | None = None


class NotYetReadError(BaseException):
    """A statement was noted, and its result is for the next run of the read. Nothing that handles errors of a
    read catches it.
    """


class Ahead:
    """The statements that reads need, and their results."""

    def __init__(self) -> None:
        self._noted: list[Needed] = []
        self._is_noting = False

    def result(self, compiled: Compiled, values: Mapping[str, object]) -> Result | None:
        """Return the result of a statement that was sent, or None if it is to be run as usual.

        :raises NotYetReadError: it is to be sent with others
        """
        same = (noted for noted in self._noted if noted.compiled is compiled and noted.values == values)
        needed = next(same, None)
        if needed is not None and needed.result is not None:
            return needed.result
        if not self._is_noting:
            return None
        if needed is None:
            self._noted.append(Needed(compiled, values))
        raise NotYetReadError

    def run(self, reads: Sequence[Callable[[], T]], done: dict[int, T]) -> Sequence[Needed]:
        """Run the reads without a number in *done*, and add the results of those that need no others; return
        the statements to send.
        """
        self._is_noting = True
        for number, read in enumerate(reads):
            if number not in done:
                with suppress(NotYetReadError):
                    done[number] = read()
        self._is_noting = False
        return [needed for needed in self._noted if needed.result is None]
