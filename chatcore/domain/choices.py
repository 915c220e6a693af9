"""Words that are one of a few, which the HTTP API's declarations refuse before, and programs may mistype."""

from collections.abc import Collection

from chatcore.domain.errors import InvalidParameter


def require_one_of(name: str, word: str, known: Collection[str]) -> None:
    """:raises InvalidParameter: another word"""
    if word not in known:
        raise InvalidParameter(name, f"Expected one of {', '.join(known)}")
