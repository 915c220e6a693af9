"""A provider of OpenID Connect, as this process knows it: its description and its keys.

Both are read when they are first needed, and kept for an hour. A few requests to a provider run at a time,
each with bounds; what exceeds them is refused, so that a provider that is silent holds nothing but its own
logins. Providers are the operator's choice, so they may be in a private network.

This module loads no library for it before the first login.
"""

import json
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, Any, Final

import msgspec

from chatcore.domain.sign_on.providers import NoSuchProvider, Provider, ProviderUnavailable
from chatcore.domain.web_addresses import parse_web_address
from chatcore.runtime.quiet_log import QuietLog

if TYPE_CHECKING:
    from joserfc.jwk import KeySet

log = logging.getLogger("chatcore.logins")

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""The signatures that count: those with a key that the provider alone has."""
WELL_KNOWN: Final = "/.well-known/openid-configuration"
SECONDS: Final = 5.0
"""The time that a provider has to answer."""
MAX_ANSWER_BYTES: Final = 2**18
FRESH_SECONDS: Final = 3600.0
"""Seconds for which a description and keys are kept."""
PAUSE_SECONDS: Final = 10.0
"""Seconds for which a provider is not asked for its description again after it failed."""
KEYS_SECONDS: Final = 60.0
"""Seconds after which keys are read again for a token with an unknown key."""
AT_A_TIME: Final = 8
"""Requests to one provider that run at a time."""
USER_AGENT: Final = "OpenIDConnect/1.0"


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a provider's description that are used."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""
    end_session_endpoint: str = ""
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    id_token_signing_alg_values_supported: tuple[str, ...] = ("RS256",)
    authorization_response_iss_parameter_supported: bool = False

    @property
    def algorithms(self) -> list[str]:
        """The signatures of tokens that count."""
        return [
            algorithm for algorithm in ALGORITHMS if algorithm in self.id_token_signing_alg_values_supported
        ]

    @property
    def addresses(self) -> Iterator[str]:
        yield from (self.authorization_endpoint, self.token_endpoint, self.jwks_uri)
        yield from filter(None, (self.userinfo_endpoint, self.end_session_endpoint))


class LoginService:
    """One provider.

    Its methods raise `ProviderUnavailable` if it does not answer in time, or not what it should.
    """

    def __init__(self, provider: Provider, monotonic: Callable[[], float], quiet_log: QuietLog) -> None:
        self.provider = provider
        self.monotonic = monotonic
        self._log = quiet_log
        self._slots = threading.BoundedSemaphore(AT_A_TIME)
        self._reading = threading.Lock()
        self._description: Description | None = None
        self._described_at = -inf
        self._failed_at = -inf
        self._keys: KeySet | None = None
        self._keys_at = -inf

    def description(self) -> Description:
        """Return the provider's description; an older one, if it does not answer."""
        if self._is_fresh(self._described_at) and self._description is not None:
            return self._description
        with self._reading_alone():
            if self._is_fresh(self._described_at) and self._description is not None:
                return self._description
            if self.monotonic() - self._failed_at < PAUSE_SECONDS:
                return self._older_description()
            try:
                self._description = self.read_description()
            except ProviderUnavailable:
                self._failed_at = self.monotonic()
                return self._older_description()
            self._described_at = self.monotonic()
            return self._description

    def _older_description(self) -> Description:
        if self._description is None:
            raise ProviderUnavailable
        return self._description

    def read_description(self) -> Description:
        """Ask the provider for its description."""
        content = self.ask("GET", self.provider.issuer.removesuffix("/") + WELL_KNOWN)
        try:
            description = msgspec.convert(content, Description)
        except msgspec.ValidationError as error:
            raise self._unusable(f"its description is incomplete: {error}") from error
        if description.issuer != self.provider.issuer:
            raise self._unusable(f"it calls itself {description.issuer!r}, and the issuer is to be the same")
        if not description.algorithms:  # to the library, none would be its own choice of them
            raise self._unusable("it signs tokens in no way that counts")
        scheme = "http" if self.provider.issuer.startswith("http:") else "https"
        for address in description.addresses:
            parts = parse_web_address(address)
            is_plain = address.isascii() and address.isprintable()
            if parts is None or parts.scheme not in ("https", scheme) or not is_plain:
                raise self._unusable(f"its address {address!r} is not one of {scheme}")
        return description

    def keys(self) -> "KeySet":
        """Return the keys with which the provider signs."""
        if self._keys is not None and self._is_fresh(self._keys_at):
            return self._keys
        return self._renew_keys(self._keys_at)

    def newer_keys(self) -> "KeySet | None":
        """Read the provider's keys again, for a token with an unknown key, and return them. Return None if
        they were read less than `KEYS_SECONDS` ago: wrong tokens must not cause a request each.
        """
        if self.monotonic() - self._keys_at < KEYS_SECONDS:
            return None
        return self._renew_keys(self._keys_at)

    def _renew_keys(self, read_at: float) -> "KeySet":
        """Read the keys, and return them. If others have read them since *read_at*, return theirs."""
        address = self.description().jwks_uri
        with self._reading_alone():
            if self._keys is None or self._keys_at == read_at:
                self._keys = self.read_keys(address)
                self._keys_at = self.monotonic()
            return self._keys

    def read_keys(self, address: str) -> "KeySet":
        """Ask the provider for its keys."""
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        content = self.ask("GET", address)
        try:
            return KeySet.import_key_set(content)  # type: ignore[arg-type]  # anything of JSON
        except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise self._unusable(f"its keys cannot be read ({type(error).__name__})") from error

    def ask(
        self, method: str, address: str, body: str | None = None, headers: Mapping[str, str] = {}
    ) -> dict[str, Any]:
        """Send a request to the provider; return the object of its answer, which has status 200."""
        status, content = self.ask_for_any(method, address, body, headers)
        if status != 200:
            raise self._unusable(f"{address} answers {status}")
        return content

    def ask_for_any(
        self, method: str, address: str, body: str | None = None, headers: Mapping[str, str] = {}
    ) -> tuple[int, dict[str, Any]]:
        """Send a request to the provider; return the status, perhaps of a refusal, and the answer's JSON."""
        from chatcore.runtime.outgoing_requests import Asker, Outgoing, RequestFailed, send_request

        request = Outgoing(
            url=address,
            method=method,
            body=None if body is None else body.encode(),
            headers={"Accept": "application/json", "User-Agent": USER_AGENT, **headers},
            seconds=SECONDS,
            max_bytes=MAX_ANSWER_BYTES,
        )
        target = parse_web_address(address)
        asker = Asker(("logins", target and target.hostname))
        with self._take_slot():
            try:
                answer = send_request(request, asker=asker, private_addresses=True, monotonic=self.monotonic)
            except RequestFailed as error:
                raise self._unusable(f"{address}: {error}") from error
        if answer.status >= 500:
            raise self._unusable(f"{address} answers {answer.status}")
        try:
            content = json.loads(answer.body)
        except (ValueError, RecursionError) as error:
            raise self._unusable(f"{address} answers no JSON") from error
        if not isinstance(content, dict):
            raise self._unusable(f"{address} answers no object")
        return answer.status, content

    @contextmanager
    def _take_slot(self) -> Iterator[None]:
        """Hold one of the slots for requests at the same time; refuse to wait for one."""
        if not self._slots.acquire(blocking=False):
            raise self._unusable("too many requests wait for it")
        try:
            yield
        finally:
            self._slots.release()

    @contextmanager
    def _reading_alone(self) -> Iterator[None]:
        """Let one request at a time read what all need; the others wait for it, but not for long."""
        if not self._reading.acquire(timeout=2 * SECONDS):
            raise ProviderUnavailable
        try:
            yield
        finally:
            self._reading.release()

    def _is_fresh(self, at: float) -> bool:
        return self.monotonic() - at < FRESH_SECONDS

    def _unusable(self, reason: str) -> ProviderUnavailable:
        """Log why the provider cannot be used, and return the error to raise."""
        self.note_problem(reason)
        return ProviderUnavailable(reason)

    def note_problem(self, reason: str) -> None:
        """Log why people cannot log in by this provider."""
        self._log.warning("a login service cannot be used: %s", f"{self.provider.name}: {reason}")


class LoginServices:
    """The providers of an organization."""

    def __init__(self, providers: Iterable[Provider], monotonic: Callable[[], float]) -> None:
        quiet_log = QuietLog(log)
        self._by_name = {
            provider.name: LoginService(provider, monotonic, quiet_log) for provider in providers
        }

    def get(self, name: str) -> LoginService:
        """Return the provider of this name.

        :raises NoSuchProvider:
        """
        if (found := self._by_name.get(name)) is None:
            raise NoSuchProvider
        return found
