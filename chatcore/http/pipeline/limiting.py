"""Rate limits of requests: the rules that count a request, and the headers of its answer.

Requests are counted after the caller is identified, and before the parameters are read.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import ceil

from chatcore.application.services import Services
from chatcore.domain import rate_limits as rules
from chatcore.domain.errors import ChatError, RateLimited
from chatcore.domain.groups.actors import Actor
from chatcore.domain.network_addresses import neighbourhood, site_network
from chatcore.domain.rate_limits import Rule
from chatcore.http.response import LARGE, Headers, LargeBody, Response
from chatcore.runtime.admission import NO_TURN, Lane, Turn
from chatcore.runtime.rate_limits import LimitState
from chatcore.runtime.suspensions import Suspension


class RequestLimits:
    """The limits of one request to an organization; one that continues after waiting was counted before."""

    def __init__(self, svc: Services, lane: Lane, address: str, suspension: Suspension | None = None) -> None:
        self._svc = svc
        self._lane = lane
        self._address = address
        self._suspension = suspension
        self._must_count = suspension is None or not suspension.has_waited
        self._who = ""
        """The name of the caller's counters, such as 'account 5', once it is identified."""
        self._time_rule = rules.RUNNING_TIME_BY_IP
        self._charged = 0
        """Milliseconds of its running time that are charged already."""
        self.limit_state: LimitState | None = None if suspension is None else suspension.limit_state
        """The strictest limit that has counted the request."""

    def identify_and_count(self, look_up: Callable[[], Actor | None], *, takes_long: bool = False) -> None:
        """Identify the caller, and count the request.

        If the look-up takes long, it is not made for an address that has used up its requests without valid
        credentials: otherwise wrong ones would cost as much after that as before.

        :raises ChatError: as *look_up* does
        :raises RateLimited: too many requests; this precedes a refusal of wrong credentials
        """
        if not self._svc.rate_limits.is_on:
            look_up()
            return
        if takes_long and self._must_count:
            self._require_left_of_address()
        try:
            actor = look_up()
        except ChatError:
            self._count_address()
            raise
        if actor is None:
            self._who = f"address {neighbourhood(self._address)}"
            self._count_anonymous()
        else:
            self._who = f"account {actor.user_id}"
            self._time_rule = rules.RUNNING_TIME_BY_USER
            self._count_account(actor)

    def note_refusal(self) -> None:
        """Forget `limit_state` if something is left of that limit: another one has refused the request, and
        headers that promise further requests would contradict the refusal.
        """
        if self.limit_state is not None and self.limit_state.remaining:
            self.limit_state = None

    @contextmanager
    def turn(self) -> Iterator[Turn]:
        """Wait for the request's turn; if the request can be suspended, it does not wait here.

        :raises RateLimited: too many requests of an account or address at a time, or too much running time;
            too many refused logouts of an address
        """
        limits = self._svc.rate_limits
        if not limits.is_on:
            yield NO_TURN
            return
        limits.require_left(self._time_rule, self._who)
        with self._ask_for_turn() as turn:
            try:
                yield turn
            except ChatError:
                if self._lane is Lane.LOGOUTS:
                    self._must_count = True  # even if it has waited for its turn
                    self._count_address()
                raise
            finally:
                self._charge_time(turn)

    def require_time_left(self, turn: Turn) -> None:
        """Charge the running time so far: a request that runs for long must not be charged at its end only.

        :raises RateLimited: no running time is left
        """
        if self._svc.rate_limits.is_on:
            self._charge_time(turn)
            self._svc.rate_limits.require_left(self._time_rule, self._who)

    def _charge_time(self, turn: Turn) -> None:
        """Count the time that the turn took since it was last counted."""
        milliseconds = ceil(turn.seconds * 1000)
        if milliseconds > self._charged:
            self._svc.rate_limits.charge(self._time_rule, self._who, milliseconds - self._charged)
            self._charged = milliseconds

    def _ask_for_turn(self) -> Turn:
        """Return the turn for which the request was suspended, or a new one. If the new one has to wait, a
        request that can be suspended is suspended here; another one waits when it enters the turn.

        :raises RateLimited: too many requests are present
        """
        suspension = self._suspension
        if suspension is not None and (awaited := suspension.turn) is not None:
            suspension.turn = None
            return awaited
        turn = self._svc.admission.ask(self._who, self._lane)
        if suspension is not None and not turn.is_running:
            suspension.suspend_until_turn(turn)
        return turn

    def _count_account(self, actor: Actor) -> None:
        match self._lane:
            case Lane.POLLS:
                self._count(rules.POLLS_BY_USER, self._who)
            case Lane.CALLS:
                self._count(rules.API_BY_BOT if actor.is_bot else rules.API_BY_USER, self._who)

    def _count_anonymous(self) -> None:
        match self._lane:
            case Lane.FILES | Lane.FOREIGN:
                self._count(rules.FILES_BY_IP, self._who)
            case Lane.LOGOUTS:  # signed by a login service, which the endpoint verifies: refused ones count
                self._require_left_of_address()
            case _:
                self._count_address()

    def _require_left_of_address(self) -> None:
        for rule, who in self._counters_of_address():
            self._svc.rate_limits.require_left(rule, who)

    def _count_address(self) -> None:
        for rule, who in self._counters_of_address():
            self._count(rule, who)

    def _counters_of_address(self) -> Iterator[tuple[Rule, str]]:
        """Yield the rules for the address, each with the name of its counter."""
        # The wide network comes first: if it is refused, its many small ones are not counted at all.
        if (network := site_network(self._address)) is not None:
            yield rules.API_BY_NETWORK, f"network {network}"
        yield rules.API_BY_IP, f"address {neighbourhood(self._address)}"

    def _count(self, rule: Rule, who: str) -> None:
        """Count the request by a rule, and keep the state of the strictest one.

        :raises RateLimited: it is one too many
        """
        if not self._must_count:
            return
        limit_state, wait = self._svc.rate_limits.count(rule, who)
        strictest = self.limit_state
        if limit_state is not None and (strictest is None or limit_state.remaining < strictest.remaining):
            self.limit_state = limit_state
            if self._suspension is not None:
                self._suspension.limit_state = limit_state
        if wait:
            raise RateLimited(wait, limit=rule.name)


def limit_headers(limit_state: LimitState) -> Headers:
    """Return the state of the strictest limit as headers."""
    return [
        ("X-RateLimit-Limit", str(limit_state.limit)),
        ("X-RateLimit-Remaining", str(limit_state.remaining)),
        ("X-RateLimit-Reset", str(ceil(limit_state.resets_at))),
    ]


def is_large(response: Response) -> bool:
    """Whether `count_until_sent` counts the bytes of an answer."""
    return isinstance(response.body, bytes) and len(response.body) >= LARGE


def count_until_sent(response: Response, turn: Turn, *, may_refuse: bool) -> Response:
    """Return the answer; a large one is counted for its account until it has been sent.

    :raises RateLimited: too many bytes wait to be sent, if *may_refuse*
    """
    body = response.body
    if not isinstance(body, bytes) or not is_large(response):
        return response
    release = turn.reserve(len(body), may_refuse=may_refuse)
    return response if release is None else replace(response, body=LargeBody(body, release))
