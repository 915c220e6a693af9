"""Endpoints that are made from use cases."""

import pytest

from chatcore.application.messages.drafts import delete_draft, list_drafts
from chatcore.http.endpoints.messages.drafts import DraftsAnswer
from chatcore.http.operations import operation


def test_one_value_cannot_be_several_fields() -> None:
    with pytest.raises(TypeError, match="DraftsAnswer has several fields"):
        operation("GET", "/drafts", list_drafts, DraftsAnswer)


def test_only_arguments_of_the_use_case_have_other_names() -> None:
    with pytest.raises(TypeError, match="no argument 'draft'"):
        operation("DELETE", "/drafts/{number:int}", delete_draft, names={"draft": "number"})
