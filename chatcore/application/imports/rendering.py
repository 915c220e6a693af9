"""Rendering the lines of an archive, in other processes if it is large enough."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from multiprocessing import connection, get_all_start_methods, get_context, parent_process
from os import _exit
from signal import SIG_IGN, SIGINT, signal
from threading import Thread
from typing import NamedTuple

from chatcore.application.imports.corpus import ImportLine, decode, stored_topic
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import content_for_sending
from chatcore.domain.narrow.words import content_words
from chatcore.markup import (
    ChannelFact,
    Facts,
    GroupFact,
    Names,
    Options,
    Rendered,
    UserFact,
    names,
    parse,
    render,
)
from chatcore.runtime.formulas import formulas_of_process


@dataclass(frozen=True, slots=True)
class Known:
    """Names that the messages can mention: everybody, the groups, and the channels that everybody may know
    of.
    """

    options: Options
    users: Mapping[str, Sequence[UserFact]]
    """By full name in lower case."""
    groups: Mapping[str, GroupFact]
    channels: Mapping[str, ChannelFact]
    emoji: Mapping[str, str]
    """The addresses of pictures by the names of emoji."""
    has_formulas: bool = False
    """Whether formulas are rendered."""

    def facts(self, wanted: Names, day: date) -> Facts:
        """Return the facts for a message of this day."""
        if wanted == Names():
            return Facts(today=day)
        return Facts(
            today=day,
            users=[user for name in wanted.user_names for user in self.users.get(name.lower(), ())],
            groups=[self.groups[name] for name in wanted.group_names if name in self.groups],
            channels=[self.channels[name] for name in wanted.channel_names if name in self.channels],
            custom_emoji=self.emoji,
        )


class PreparedLine(NamedTuple):
    """A line, processed as far as is possible without the store."""

    line: ImportLine
    topic: str
    content: str
    rendered: Rendered
    words: list[str]


def prepare(known: Known, limits: Limits, raw_lines: Sequence[bytes]) -> list[PreparedLine]:
    """Render a batch of lines."""
    ready = []
    formulas = formulas_of_process() if known.has_formulas else None
    for raw_line in raw_lines:
        line = decode(raw_line)
        topic, content = stored_topic(line.topic, limits), content_for_sending(line.content, limits)
        tree = parse(content, known.options)
        facts = known.facts(names(tree), datetime.fromtimestamp(line.timestamp, UTC).date())
        rendered = render(tree, facts, formulas.text_renderer() if formulas else None)
        words = list(dict.fromkeys(content_words(rendered.html)))
        ready.append(PreparedLine(line, topic, content, rendered, words))
    return ready


@contextmanager
def renderers(processes: int) -> Iterator[Callable[..., Callable[[], list[PreparedLine]]]]:
    """Yield a function that accepts a batch and returns a function that waits for its result."""
    if processes < 2 or "fork" not in get_all_start_methods():
        yield lambda *batch: partial(prepare, *batch)
        return
    pool = ProcessPoolExecutor(processes, get_context("fork"), initializer=_end_with_parent)
    try:
        yield lambda *batch: pool.submit(prepare, *batch).result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """Ignore Ctrl-C, which the parent handles; end when the parent is killed, instead of waiting for work for
    ever.
    """
    signal(SIGINT, SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        connection.wait([parent.sentinel])
        _exit(1)

    Thread(target=wait, daemon=True).start()
