"""Requests of programs with an asyncio loop: they wait as coroutines, and use threads only to run."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from chatcore.runtime.signals import Signal
from chatcore.runtime.suspensions import Suspended, Suspension

T = TypeVar("T")


async def without_waiting_threads(
    run: Callable[[Suspension], Awaitable[T]],
    abandoned: "asyncio.Future[None] | None" = None,
    last_result: Callable[[Suspension], T] | None = None,
) -> T:
    """Return the result of *run*, which starts a function in a thread; start it again whenever the function
    has been suspended and can continue.

    With *last_result*, a poll whose time ends without events has that result. So has a request whose task is
    cancelled while it waits: it stops, and the cancellation goes no further.

    :raises CancelledError: *abandoned* is done, or the task is cancelled
    """
    suspension = Suspension()
    try:
        while True:
            try:
                return await run(suspension)
            except Suspended as suspended:
                signal, seconds = suspended.signal, suspended.seconds
            try:
                if not suspension.is_stopped:
                    await _wait_for(signal, seconds, abandoned)
            except asyncio.CancelledError:
                if last_result is None:
                    raise
                suspension.stop()
            if abandoned is not None and abandoned.done():
                raise asyncio.CancelledError
            if last_result is not None and suspension.is_over:
                suspension.stop()
                return last_result(suspension)
    finally:
        suspension.give_up()


async def _wait_for(signal: Signal, seconds: float, abandoned: "asyncio.Future[None] | None") -> None:
    """Return when the signal is set, *abandoned* is done, or the seconds are over; the caller looks which."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()

    def wake() -> None:
        if not ready.done():
            ready.set_result(None)

    def notify() -> None:
        with suppress(RuntimeError):  # the loop is closed, and nobody waits any more
            loop.call_soon_threadsafe(wake)

    signal.when_set(notify)
    either = [ready] if abandoned is None else [ready, abandoned]
    await asyncio.wait(either, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
