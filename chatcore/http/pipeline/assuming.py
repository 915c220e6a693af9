"""Callers from memory: a request begins with its caller as the store had it last, so that identifying the
caller costs no transaction. The first transaction of the endpoint finds out whether that is still true.
"""

from collections.abc import Callable
from typing import TypeVar

from chatcore.domain.errors import ChatError
from chatcore.storage import Outdated, Storage

T = TypeVar("T")


def run_assuming(storage: Storage, call: Callable[[], T], look_up: Callable[[], object]) -> T:
    """Run *call* with the remembered caller, and return its result once the store has confirmed that this
    caller is current.

    If the caller has changed, *look_up* identifies it by the store, and *call* begins anew: it has done
    nothing yet.

    :raises ChatError: as *call* and *look_up* do
    """
    try:
        try:
            answer = call()
        except ChatError:
            storage.confirm()  # the refusal may be due to a role that the caller no longer has
            raise
        storage.confirm()
    except Outdated:
        look_up()
        return call()
    return answer
