"""Endpoints that are made from use cases."""

import pytest

from chatcore.application.messages.drafts import list_drafts
from chatcore.http.endpoints.messages.drafts import DraftsAnswer
from chatcore.http.operations import operation


def test_one_value_cannot_be_several_fields() -> None:
    with pytest.raises(TypeError, match="DraftsAnswer has several fields"):
        operation("GET", "/drafts", list_drafts, DraftsAnswer)
