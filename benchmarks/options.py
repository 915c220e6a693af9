"""The options of the benchmarks, which are checked before anything is measured."""

import argparse
import json
import os
import resource
import sys
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

DEFAULT_CORPUS = Path(__file__).parents[2] / "shared" / "corpus" / "chat-66k.jsonl.gz"
HELP = {
    "rounds": "how often each operation is measured",
    "polls": "how many people wait, nine in ten of them for the message",
    "subscribers": "the people of the large channel",
    "size": "the messages of a topic that is moved",
    "people": "how many people there are",
    "channels": "how many channels there are",
    "rate": "how many messages are sent in a second",
    "seconds": "for how long messages are sent",
    "unread": "how many messages somebody has not read",
}
MAY_BE_NONE = {"unread"}


def arguments(what: str, **more: Any) -> argparse.Namespace:
    """Parse the options of every benchmark, and *more* integers by name and default: one whose default is not
    0 must be at least 1, unless it is in `MAY_BE_NONE`.
    """
    parser = argparse.ArgumentParser(description=what, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    corpus_argument(parser, "corpus", nargs="?")
    common_arguments(parser)
    for name, default in more.items():
        parser.add_argument(
            f"--{name}",
            type=positive if default and name not in MAY_BE_NONE else natural,
            default=default,
            help=HELP[name],
        )
    return parser.parse_args()


def corpus_argument(parser: argparse.ArgumentParser, name: str, **more: Any) -> None:
    known = DEFAULT_CORPUS if DEFAULT_CORPUS.exists() else None
    parser.add_argument(
        name, type=existing_file, default=known, help="real messages; without it, text is generated", **more
    )


def common_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--messages",
        type=positive,
        default=66_530,
        help="how many messages to fill a store with, at most those of the corpus",
    )
    store_arguments(parser)


def store_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", choices=["sqlite", "postgresql", "both"], default="both", help="which databases"
    )
    json_argument(parser)


def json_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", type=new_file, help="also write the figures to this file")


def positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return number


def positive_number(text: str) -> float:
    if not 0 < (number := float(text)) < inf:
        raise argparse.ArgumentTypeError("it must be a number above 0")
    return number


def natural_number(text: str) -> float:
    if not 0 <= (number := float(text)) < inf:
        raise argparse.ArgumentTypeError("it must be a number from 0 on")
    return number


def natural(text: str) -> int:
    if (number := int(text)) < 0:
        raise argparse.ArgumentTypeError("it must not be negative")
    return number


def json_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"it is no JSON: {error}") from error


def existing_file(text: str) -> Path:
    if not (path := Path(text)).is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return path


def new_file(text: str) -> Path:
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"{path} cannot be written")
    return path


SPARE_FILES = 100
"""Files that a process has open beside its connections."""


def allow_connections(count: int, name: str) -> None:
    """Let this process, and those that it starts, have so many connections open, or end the program.

    :param name: the option that says how many
    """
    files, most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = count + SPARE_FILES
    if needed > most_files != resource.RLIM_INFINITY:
        sys.exit(
            f"A process may open {most_files} files here: raise that (`ulimit -Hn`), or use fewer --{name}."
        )
    if needed > files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, most_files))


def run(main: Callable[[], object]) -> None:
    """Run a benchmark until its end, or until Ctrl-C."""
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped")
