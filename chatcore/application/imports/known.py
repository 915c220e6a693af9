"""The messages of a corpus that were imported before."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import islice

from chatcore.application import units
from chatcore.application.imports.corpus import Corpus, numbered_lines
from chatcore.application.services import Services
from chatcore.application.units import Unit, View

PART = 1000
"""Number of messages that are looked up at a time."""


def find_missing(svc: Services, corpus: Corpus) -> bytearray:
    """Return 1 for each message of a corpus that is not imported yet, else 0. Those that an earlier version
    has stored, without noting their digests, are noted.
    """
    sources = svc.storage.read(lambda snapshot: snapshot.imports.sources())
    stored = lines_of_earlier_version(corpus, sources)
    missing = bytearray()
    for start in range(0, corpus.size, PART):
        part = corpus.messages[start : start + PART]
        known = units.read(svc, _find_known_digests, part)
        if unknown := [digest for digest in part[: max(stored - start, 0)] if digest not in known]:
            units.write(svc, _note_digests, unknown)
            known.update(unknown)
        missing += bytes(digest not in known for digest in part)
    return missing


def lines_of_earlier_version(corpus: Corpus, sources: Mapping[str, tuple[int, bool]]) -> int:
    """Return how many lines of the file are in the store by what is noted of files.

    Earlier versions noted no messages, but the digest of a file and the number of its lines that were stored.
    A file that has grown begins with one that they have finished.
    """
    stored, _ = sources.get(corpus.digest, (0, False))
    finished: defaultdict[int, set[str]] = defaultdict(set)
    for source, (lines, is_finished) in sources.items():
        if is_finished:
            finished[lines].add(source)
    digest = sha256()
    for number, raw in islice(numbered_lines(corpus.path), max(finished, default=0)):
        digest.update(raw)
        if number in finished and digest.hexdigest() in finished[number]:
            stored = max(stored, number)
    return stored


def _find_known_digests(view: View, digests: Sequence[str]) -> set[str]:
    return view.snapshot.imports.known(digests)


def _note_digests(unit: Unit, digests: Sequence[str]) -> None:
    known = _find_known_digests(unit, digests)
    unit.tx.imports.add([digest for digest in digests if digest not in known])
