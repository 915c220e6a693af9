"""Inline code, between runs of equally many backticks. Every run of backticks is read once."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

_RUN = re.compile(r"`+")


def code_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, code) of every code span of *text*."""
    runs = [(run.start(), run.end()) for run in _RUN.finditer(text)]
    starts_by_length: dict[int, list[int]] = defaultdict(list)
    for start, end in runs:
        starts_by_length[end - start].append(start)
    past = 0
    for start, end in runs:
        if start < past:
            continue
        if _is_escaped(text, start):
            start += 1
        for length in range(end - start, 0, -1):  # as many of its backticks as a later run has
            closers = starts_by_length.get(length, ())
            index = bisect_left(closers, end)
            if index < len(closers):
                past = closers[index] + length
                yield start, past, text[start + length : closers[index]]
                break


def _is_escaped(text: str, start: int) -> bool:
    """Whether a backtick follows an odd number of backslashes, and so opens nothing."""
    before = start
    while before and text[before - 1] == "\\":
        before -= 1
    return (start - before) % 2 == 1
