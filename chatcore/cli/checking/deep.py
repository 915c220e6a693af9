"""Checks of `chatcore check --deep` beyond single rows: rows and files that contradict each other."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from chatcore.cli.words import first_of, number_of
from chatcore.settings import Settings

if TYPE_CHECKING:
    from chatcore.storage import Store
    from chatcore.storage.faults import Fault, Subject


@dataclass(frozen=True, slots=True)
class DeepCheckResult:
    """The result of a deep check."""

    problems: Sequence[str] = ()
    """Sentences about what is wrong, each with its remedy."""
    repaired: Sequence[str] = ()
    """Sentences about what was wrong."""


Examine: TypeAlias = "Callable[[Settings, Store], DeepCheckResult]"
"""Looks for problems of an organization and its database."""

MOST_FILES: Final = 5
"""Files that a problem names."""
REPAIR: Final = "run 'chatcore check --deep --repair', which makes this anew from the messages and files"


def deep_checks(*, repair: bool) -> Mapping[str, Examine]:
    """Return the checks by their names; with *repair*, they mend what follows from other rows."""
    from chatcore.storage.faults import Subject

    return {
        **{subject.value: partial(_find_faults, subject=subject, repair=repair) for subject in Subject},
        "files": _find_lost_files,
    }


def _find_faults(
    settings: Settings, storage: "Store", *, subject: "Subject", repair: bool
) -> DeepCheckResult:
    from chatcore.storage.faults import ExaminedStore

    if not isinstance(storage, ExaminedStore):
        return DeepCheckResult()
    before = _count_rows(storage.find_faults(subject, repair=True) if repair else ())
    left = _count_rows(storage.find_faults(subject))
    return DeepCheckResult(
        problems=[f"{rows:,} {problem}; {REPAIR}" for problem, rows in left.items()],
        repaired=[f"{rows:,} {problem}" for problem, rows in (before - left).items()],
    )


def _count_rows(faults: "Iterable[Fault]") -> Counter[str]:
    """Return the number of rows with each problem."""
    return Counter({fault.problem: fault.rows for fault in faults})


def _find_lost_files(settings: Settings, storage: "Store") -> DeepCheckResult:
    """Compare the files with the rows that name them. The files are listed first: a row is written after its
    file is complete, and removed before it.
    """
    from chatcore.application.archives.rows import keys_in
    from chatcore.bootstrap import open_files
    from chatcore.domain.files.thumbnails import Derived, derived_key

    sizes = dict(open_files(settings).sizes())
    named, exports = storage.read(
        lambda snapshot: ({*keys_in(snapshot)}, {export.file_key for export in snapshot.exports.all()})
    )
    thumbnails = {derived_key(key, derived) for key in named for derived in Derived}
    lost = sorted(named - sizes.keys())
    orphans = sorted(sizes.keys() - named - exports - thumbnails)
    problems = []
    if lost:
        problems.append(
            f"{number_of(len(lost), 'file is', 'files are')} lost: {first_of(lost, MOST_FILES)};"
            " put them back into the place of uploaded files, from the folder 'files' of a backup"
        )
    if orphans:
        problems.append(
            f"{number_of(len(orphans), 'file belongs', 'files belong')} to nothing:"
            f" {first_of(orphans, MOST_FILES)};"
            " remove them if the database is the right one and not an older one"
        )
    return DeepCheckResult(problems)
