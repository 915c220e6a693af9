"""The check of every answer in the tests: it finds each kind of contradiction."""

import json
from typing import Any

import pytest

from chatcore.http.routes import ROUTES
from tests.worlds.checked_answers import require_described

SENDING = next(one for one in ROUTES if (one.method, one.path) == ("POST", "/messages"))
SENT = {"result": "success", "msg": "", "id": 5}
REFUSED = {"result": "error", "msg": "No", "code": "BAD_REQUEST"}


@pytest.mark.parametrize(("status", "answer"), [(200, SENT), (400, REFUSED), (404, REFUSED)])
def test_an_answer_as_described_is_taken(status: int, answer: Any) -> None:
    require_described(SENDING, status, json.dumps(answer).encode())


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (200, {**SENT, "more": 1}),
        (200, {**SENT, "id": "5"}),
        (200, {**SENT, "result": "error"}),
        (200, {"result": "success", "msg": ""}),
        (200, {"id": 5}),
        (200, [SENT]),
        (400, {**REFUSED, "msg": 1}),
        (400, {"result": "error", "msg": "No"}),
        (429, REFUSED),
        (500, REFUSED),
    ],
)
def test_an_answer_that_is_not_described_fails(status: int, answer: Any) -> None:
    with pytest.raises(AssertionError):
        require_described(SENDING, status, json.dumps(answer).encode())
