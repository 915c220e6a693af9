"""Letting bots answer the messages that call them, in threads beside the requests.

A call is a row that was written with the message. A process takes it by a lease, asks the service, and sends
the answer and removes the row in one unit of work: so there is one answer, however many processes try. While
a process is at a call, it holds the call's name. A process that is killed leaves the row, which another one
takes when it finds that nobody holds the name, or when the lease is over; only then may a service be asked
twice. Each bot has one call at a time, and each owner a few (`turns.py`): so slow services delay only the
bots of their owners.
"""

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from chatcore.application import units
from chatcore.application.asking import ask
from chatcore.application.bots.call_contents import content_of_call
from chatcore.application.bots.called import Called, look_up
from chatcore.application.bots.turns import Turns
from chatcore.application.delivery import notices
from chatcore.application.delivery.rendering import NO_FILES, RenderedText, render_text
from chatcore.application.messages.sending import send_in
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.domain.attempts import pause_after
from chatcore.domain.bots.answers import BadAnswer, BotAnswer, read_answer
from chatcore.domain.bots.calls import LEASE_SECONDS, MAX_ATTEMPTS, PAUSES, BotCall, DueCall
from chatcore.domain.bots.embedded import EMBEDDED_BOTS, without_mention
from chatcore.domain.errors import ChatError
from chatcore.domain.messages.messages import content_for_sending
from chatcore.domain.messages.widgets import widget_to_send
from chatcore.domain.people.bot_storage import require_storable, require_within_limits
from chatcore.domain.people.users import BotType
from chatcore.storage import StorageNotReady, Transaction

log = logging.getLogger("chatcore.bots")

THREADS: Final = 8
"""Bots of one process that are called at the same time."""
ANSWER_SECONDS: Final = 10
"""The time that a service has to answer."""
MAX_ANSWER: Final = 2**20
MAX_QUOTED: Final = 300
"""Characters of a refusal that the owner of a bot gets to read."""
MAX_DUE: Final = 1000
"""Bots with due calls that are read at a time."""
FAILURE: Final = "Failure! The service of this bot could not answer."
LOOK_SECONDS: Final = 5
"""Seconds between two looks for calls of processes that have ended."""
USER_AGENT: Final = "OutgoingWebhook/1.0"
RETRIED: Final = frozenset({408, 425, 429})
"""Statuses below 500 after which a service is asked again."""


class _NoAnswer(Exception):
    """A failed attempt; the message says why. *again*: another one may succeed."""

    def __init__(self, reason: str, *, again: bool) -> None:
        super().__init__(reason)
        self.again = again


class BotCaller:
    """The threads of one process that call bots."""

    def __init__(self, svc: Services) -> None:
        self._svc = svc
        self._turns = Turns()
        self._looked_at = -inf

    def run(self) -> float:
        """Begin the calls that are due, as far as there are threads; the task of `Services.alarms`."""
        if self._svc.monotonic() - self._looked_at >= LOOK_SECONDS:
            free_abandoned_calls(self._svc)
            self._looked_at = self._svc.monotonic()
        while not self._svc.alarms.bots.stopped and self._turns.running < THREADS:
            taken = take(self._svc, self._turns)
            if taken is None:
                break
            self._turns.begin(taken, self._svc.monotonic())
            threading.Thread(
                target=self._answer_call, args=(taken,), name="chatcore-bot", daemon=True
            ).start()
        return inf

    def _answer_call(self, taken: DueCall) -> None:
        """The thread of one call: answer it, then have the next ones begun."""
        call = taken.call
        try:
            with self._svc.storage.holding(call.name):
                answer(self._svc, call)
        except StorageNotReady as error:
            self._svc.alarms.quiet_log.tell_not_ready(log, "the answer of a bot has to wait: %s", error)
        except Exception:
            log.exception("bot %d could not answer message %d", call.bot_id, call.message_id)
        finally:
            self._turns.end(taken)
            self._svc.alarms.bots.ring()


def answer_due(svc: Services) -> int:
    """Let bots answer all messages that call them and are due, one after another; return how many there were.

    For programs without threads of their own for it.
    """
    count = 0
    free_abandoned_calls(svc)
    while (taken := take(svc, Turns())) is not None:
        with svc.storage.holding(taken.call.name):
            answer(svc, taken.call)
        count += 1
    return count


def take(svc: Services, turns: Turns) -> DueCall | None:
    """Take the call that comes next; None if there is none that may run.

    :raises StorageNotReady: the secret, from which the call has its token, was replaced
    """
    if units.read(svc, _find_first_call, turns) is None:
        return None  # found out by a read, so that no other writer waits
    return units.write(svc, _lease_first_call, turns)


def _find_first_call(view: View, turns: Turns) -> DueCall | None:
    units.find_with_secret(view)
    calls = view.snapshot.bot_calls.first_of_each_bot(view.now, MAX_DUE, but_of=turns.busy_callers)
    return turns.first(calls)


def _lease_first_call(unit: Unit, turns: Turns) -> DueCall | None:
    first = _find_first_call(unit, turns)  # another process may have taken one since
    if first is None:
        return None
    taken = replace(first, call=replace(first.call, leased_until=unit.now + LEASE_SECONDS))
    unit.tx.bot_calls.update(taken.call)
    return taken


def free_abandoned_calls(svc: Services) -> None:
    """Let the calls of processes that have ended be taken at once: nobody holds their names any more."""
    for call in svc.storage.read(lambda snapshot: snapshot.bot_calls.taken_a_while_ago(svc.now)):
        with svc.storage.holding(call.name) as is_left:
            if is_left:
                units.write(svc, _store_call, call, replace(call, leased_until=0))


def answer(svc: Services, call: BotCall) -> None:
    """Answer a call that this process has taken, or let it be taken again later.

    :raises StorageNotReady: the store is not available at present
    """
    try:
        _attempt_answer(svc, call)
    except StorageNotReady:
        raise
    except Exception:
        _put_off(svc, call)
        raise


def _attempt_answer(svc: Services, call: BotCall) -> None:
    """Answer a call, and count the attempt; a call that nobody can answer is dropped, one that was attempted
    too often is given up.
    """
    called = units.read(svc, look_up, call)
    if called is None:
        svc.storage.write(lambda tx: tx.bot_calls.remove(call.id))
    elif call.attempts >= MAX_ATTEMPTS:
        # Else a call that ends every attempt would be the first one of its bot for ever.
        _retry_or_give_up(svc, called, "The attempts to answer it ended without a result.", again=False)
    else:
        counted = replace(call, attempts=call.attempts + 1)
        if units.write(svc, _store_call, call, counted):
            _answer_now(svc, replace(called, call=counted))


def _put_off(svc: Services, call: BotCall) -> None:
    """Count an attempt that a fault has ended, and let the call be taken again later. If even the attempt to
    say that all attempts have failed ends so, nobody can be told, and the call is dropped.
    """
    counted = replace(call, attempts=call.attempts + 1)
    pause = pause_after(PAUSES, counted.attempts) or 0
    later = replace(counted, due=svc.now + pause, leased_until=0)
    units.write(svc, _change_or_drop, call, counted, later)


def _change_or_drop(unit: Unit, call: BotCall, counted: BotCall, later: BotCall) -> None:
    # The call in the store is *counted* already if the fault came after that.
    if not _is_ours(unit.tx, call) and not _is_ours(unit.tx, counted):
        return
    if counted.attempts > MAX_ATTEMPTS:
        unit.tx.bot_calls.remove(call.id)
    else:
        unit.tx.bot_calls.update(later)


def _answer_now(svc: Services, called: Called) -> None:
    if called.bot.bot_type == BotType.EMBEDDED:
        _run_program(svc, called)
    else:
        try:
            bot_answer = _ask_service(svc, called)
        except _NoAnswer as failure:
            _retry_or_give_up(svc, called, str(failure), again=failure.again)
        else:
            _send_answer(svc, called, bot_answer)


# -- the service of an outgoing webhook -----------------------------------------------------------------


def _ask_service(svc: Services, called: Called) -> BotAnswer | None:
    """Post a message to the service of a bot, and return what it answers.

    :raises _NoAnswer:
    """
    from chatcore.runtime import outgoing_requests as requests  # loads a library of HTTP

    try:
        content = content_of_call(svc, called)
        request = requests.Outgoing(
            method="POST",
            url=called.settings.payload_url,
            body=content.body,
            headers={"Content-Type": content.content_type, "User-Agent": USER_AGENT},
            seconds=ANSWER_SECONDS,
            max_bytes=MAX_ANSWER,
        )
        response = ask(svc, request, called.bot.bot_owner_id or called.bot.id)
        if response.status >= 500 or response.status in RETRIED:
            raise _NoAnswer(_refusal(response.status, response.body), again=True)
        if not 200 <= response.status < 300:
            raise _NoAnswer(_refusal(response.status, response.body), again=False)
        return read_answer(response.body, called.settings.interface)
    except BadAnswer as error:
        raise _NoAnswer(str(error), again=False) from error
    except (requests.AddressRefused, requests.AnswerRefused) as error:
        raise _NoAnswer(f"The service cannot be used: {error}.", again=False) from error
    except requests.RequestFailed as error:
        raise _NoAnswer(f"The service cannot be reached: {error}.", again=True) from error


def _refusal(status: int, body: bytes) -> str:
    answered = f"The service answered with status {status}"
    quoted = notices.as_code(body[:MAX_QUOTED].decode(errors="replace").replace("\n", " "))
    return f"{answered}: {quoted}" if body else f"{answered}."


# -- answers --------------------------------------------------------------------------------------------


def _run_program(svc: Services, called: Called) -> None:
    """Run the program of an embedded bot; what it stores is stored with its answer."""
    text = without_mention(called.message.content, called.bot.full_name)
    before = svc.storage.read(lambda snapshot: dict(snapshot.bot_storage.get(called.bot.id, None)))
    after = dict(before)
    try:
        bot_answer = BotAnswer(EMBEDDED_BOTS[called.settings.service_name](text, after))
    except (ArithmeticError, LookupError, ValueError):
        log.exception("the program '%s' failed", called.settings.service_name)
        _retry_or_give_up(svc, called, "The program of the bot failed.", again=False)
    else:
        _send_answer(svc, called, bot_answer, Stored(before, after))


@dataclass(frozen=True, slots=True)
class Stored:
    """The texts of an embedded bot before and after a call."""

    before: Mapping[str, str]
    after: Mapping[str, str]


def _send_answer(
    svc: Services, called: Called, bot_answer: BotAnswer | None, stored: Stored | None = None
) -> None:
    """Send an answer and remove the call, unless another process has it now."""
    try:
        text = widget = None
        if bot_answer is not None:
            content = content_for_sending(bot_answer.content, svc.limits)
            widget = widget_to_send(content, bot_answer.widget, svc.limits)
            text = render_text(svc, called.actor, content, files=NO_FILES)
        units.write(svc, _send_rendered, called, bot_answer, text, widget, stored)
    except ChatError as error:
        _retry_or_give_up(svc, called, f"The answer of the bot was refused: {error.message}", again=False)


def _send_rendered(
    unit: Unit,
    called: Called,
    bot_answer: BotAnswer | None,
    text: RenderedText | None,
    widget: str | None,
    stored: Stored | None,
) -> None:
    """Send the answer, if there is one, and remove the call; or run it again if its texts have changed."""
    if not _is_ours(unit.tx, called.call):
        return
    if stored is not None and not _store_texts(unit, called, stored):
        unit.tx.bot_calls.update(replace(called.call, attempts=0, leased_until=0))  # it runs again at once
        return
    if bot_answer is not None and text is not None:
        send_in(unit, called.actor, called.reply(bot_answer), text, widget)
    unit.tx.bot_calls.remove(called.call.id)


def _store_texts(unit: Unit, called: Called, stored: Stored) -> bool:
    """Store the texts of an embedded bot; return whether they were still those that its program had read."""
    bot_id = called.bot.id
    if dict(unit.tx.bot_storage.get(bot_id, None)) != stored.before:
        return False
    if stored.after != stored.before:
        require_storable(stored.after)
        unit.tx.bot_storage.put(bot_id, stored.after)
        require_within_limits(*unit.tx.bot_storage.size(bot_id), unit.limits)
    return True


def _retry_or_give_up(svc: Services, called: Called, reason: str, *, again: bool) -> None:
    """Let a call be taken again later, or give it up: then the bot says so where it was called, and its owner
    gets the reason.
    """
    call = called.call
    pause = pause_after(PAUSES, call.attempts) if again else None
    log.warning("bot %d could not answer message %d: %s", call.bot_id, call.message_id, reason)
    if pause is not None:
        units.write(svc, _store_call, call, replace(call, due=svc.now + pause, leased_until=0))
        return
    text = render_text(svc, called.actor, FAILURE)
    try:
        units.write(svc, _give_up, called, reason, text)
    except ChatError:  # the bot may not write there
        units.write(svc, _give_up, called, reason, None)


def _give_up(unit: Unit, called: Called, reason: str, failure: RenderedText | None) -> None:
    """Remove a call, report the *reason* to the bot's owner, and let the bot send *failure*, unless that is
    None.
    """
    if not _is_ours(unit.tx, called.call):
        return
    if failure is not None:
        send_in(unit, called.actor, called.reply(BotAnswer(FAILURE)), failure, None)
    about = f"Your bot `{called.bot.email}` could not answer a message."
    notices.report_to_owner(unit, called.call.bot_id, about, f"\n\n> {reason}")
    unit.tx.bot_calls.remove(called.call.id)


def _store_call(unit: Unit, call: BotCall, changed: BotCall) -> bool:
    """Store a changed call, and return true; do nothing if it is not ours any more."""
    if not _is_ours(unit.tx, call):
        return False
    unit.tx.bot_calls.update(changed)
    return True


def _is_ours(tx: Transaction, call: BotCall) -> bool:
    """Whether a call that was taken is not taken by another process, or answered."""
    return tx.bot_calls.find(call.id) == call
