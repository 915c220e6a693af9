"""Answers of the endpoints that are made from use cases."""

from collections.abc import Mapping

from chatcore.http.pipeline.routing import Answer


class StorageAnswer(Answer, frozen=True, kw_only=True):
    storage: Mapping[str, str]
