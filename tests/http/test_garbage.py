"""Requests leave nothing to the garbage collector, whose runs stop everybody."""

import gc
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import pytest

from tests.worlds.registering_over_http import Api

OURS = ("chatcore", "storage_backends")
MESSAGE = {"type": "stream", "to": "lunch", "topic": "garbage", "content": "**Hello**"}


@contextmanager
def garbage() -> Iterator[Counter[str]]:
    """Count objects of the program, by type, that refer to each other when the context ends."""
    found: Counter[str] = Counter()
    gc.collect()
    gc.freeze()  # what is older is none of ours, also if it ends only now
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield found
        gc.collect()
        for one in gc.garbage:
            owner = one if callable(one) else type(one)
            if str(getattr(owner, "__module__", "")).startswith(OURS):
                found[getattr(owner, "__qualname__", repr(owner))] += 1
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.unfreeze()
        gc.collect()
        gc.freeze()  # as in all tests: collections are rare, and short


NEWEST = {"anchor": "newest", "num_before": 10, "num_after": 0}
REQUESTS: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    "oneself": ("GET", "users/me", {}),
    "people": ("GET", "users", {}),
    "a message": ("POST", "messages", MESSAGE),
    "a page": ("GET", "messages", NEWEST),
    "a search": ("GET", "messages", {**NEWEST, "narrow": [["search", "hello"]]}),
    "flags": ("POST", "messages/flags", {"messages": [1], "op": "add", "flag": "starred"}),
    "presence": ("POST", "users/me/presence", {"status": "active"}),
    "a registration": ("POST", "register", {}),
    "a refusal": ("POST", "messages", {**MESSAGE, "to": "nowhere"}),
    "another address": ("GET", "nothing/here", {}),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_leaves_no_objects_that_refer_to_each_other(api: Api, name: str) -> None:
    method, path, parameters = REQUESTS[name]
    api.ok("ada", "POST", "messages", **MESSAGE)
    api.call("ada", method, path, **parameters)  # what is made once stays
    with garbage() as found:
        api.call("ada", method, path, **parameters)
    assert not found


def test_a_poll_and_an_upload_leave_none_either(api: Api) -> None:
    queue = api.ok("ada", "POST", "register", event_types=["message"])

    def poll_and_upload() -> None:
        api.ok("ada", "POST", "messages", **MESSAGE)
        api.ok("ada", "GET", "events", queue_id=queue["queue_id"], last_event_id=-1)
        api.client.post(
            "/api/v1/user_uploads",
            data={"file": (BytesIO(b"text"), "a.txt")},
            headers=api.headers("ada"),
            base_url=api.base_url,
        )

    poll_and_upload()
    with garbage() as found:
        poll_and_upload()
    assert not found
