"""The messages that benchmarks measure on: those of a corpus, which has a line of JSON for each, or generated
ones.
"""

import gzip
import json
import random
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec


class Row(msgspec.Struct):
    """A line of a corpus; `timestamp` in seconds since 1970."""

    timestamp: int
    channel: str
    topic: str
    sender: str
    content: str


def read_corpus(path: Path) -> Iterator[tuple[Row, str]]:
    """Yield each message with its line. A file that is no corpus ends the program with what is wrong with
    it.
    """
    print(f"The messages are those of {path}.", file=sys.stderr)
    decode = msgspec.json.Decoder(Row).decode
    number = 0
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                number += 1
                yield decode(line), line
    except msgspec.MsgspecError as error:
        sys.exit(f"{path}, line {number}: {error}")
    except (OSError, EOFError, ValueError, zlib.error) as error:
        sys.exit(f"{path} cannot be read after line {number}: {error}")
    if not number:
        sys.exit(f"{path} has no messages.")


def generated() -> Iterator[str]:
    """Yield lines without an end."""
    print("The messages are generated.", file=sys.stderr)
    chance = random.Random(7)
    words = [f"word{number}" for number in range(3000)]
    for number in range(10**9):
        yield (
            json.dumps(
                {
                    "timestamp": 1_700_000_000 + number * 60,
                    "channel": f"channel {chance.randrange(16)}",
                    "topic": f"topic {chance.randrange(200)}",
                    "sender": f"User {chance.randrange(1500):04}",
                    "content": " ".join(chance.choices(words, k=chance.randrange(5, 80))),
                }
            )
            + "\n"
        )
