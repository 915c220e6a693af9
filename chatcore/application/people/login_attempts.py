"""Limits of attempts to log in with a password or a token.

Failures are counted in three ways: by name and address together, so that others cannot lock a user out; by
name alone, except for addresses from which the account has logged in before; and by address alone. Above the
limit by name alone, one attempt a minute remains for all addresses together. The store holds the failures:
all processes count together, and a restart keeps the counts.
"""

import hashlib
import hmac
from collections.abc import Sequence

from limits import RateLimitItem

from chatcore.application.services import Services
from chatcore.application.units import Unit
from chatcore.domain import rate_limits as rules
from chatcore.domain.errors import RateLimited
from chatcore.domain.ids import UserId
from chatcore.domain.mail_addresses import address_key
from chatcore.domain.network_addresses import neighbourhood, site_network
from chatcore.domain.organization.audit import MAX_FAILED_LOGINS, MAX_LOGINS_OF_NOBODY, AuditKind
from chatcore.domain.people.users import User
from chatcore.domain.rate_limits import Rule
from chatcore.domain.times import MAX_CLOCK_DIFFERENCE, SECONDS_PER_DAY
from chatcore.storage import Transaction

MAX_KNOWN_NETWORKS = 20
"""Number of networks stored from which an account has logged in; the oldest is dropped first."""
COUNTED_ENTRIES = 1000
"""Newest entries of the audit log about an account, among which its failed logins are counted."""
COUNTING_LOGINS = (
    rules.AUTHENTICATE_BY_USERNAME,
    rules.AUTHENTICATE_BY_USERNAME_ANYWHERE,
    rules.AUTHENTICATE_BY_USERNAME_SLOWLY,
    rules.AUTHENTICATE_BY_IP,
    rules.AUTHENTICATE_BY_NETWORK,
    rules.PASSWORD_PROOF_BY_USER,
)


def begin(unit: Unit, name: str, user: User | None, address: str, now: float) -> None:
    """Count an attempt under a name, which may be that of a user, from an address.

    It counts as failed until `note_success`, so that concurrent attempts are limited like successive ones.

    :raises RateLimited: too many attempts have failed
    """
    unit.tx.logins.forget_failures(now - _retention_seconds(unit.svc))
    _count_failure(unit, _name_and_address_key(name, address), [rules.AUTHENTICATE_BY_USERNAME], now)
    if user is None or not unit.tx.logins.knows(user.id, _network(unit.svc, address)):
        anywhere = [rules.AUTHENTICATE_BY_USERNAME_ANYWHERE, rules.AUTHENTICATE_BY_USERNAME_SLOWLY]
        _count_failure(unit, _anywhere_key(name), anywhere, now)
    _count_address(unit, address, now)


def begin_without_name(unit: Unit, address: str, now: float) -> None:
    """Count an attempt that names nobody as long as it is not verified, such as a token.

    It counts as failed until `take_back`.

    :raises RateLimited: too many attempts have failed
    """
    unit.tx.logins.forget_failures(now - _retention_seconds(unit.svc))
    _count_address(unit, address, now)


def take_back(unit: Unit, address: str, at: float) -> None:
    """Take back an attempt from an address that began *at* a time."""
    if address:
        unit.tx.logins.forget_failures_of(_address_key(address), at)
        if (network := site_network(address)) is not None:
            unit.tx.logins.forget_failures_of(_site_key(network), at)


def note_success(unit: Unit, name: str, user: User, address: str, at: float) -> None:
    """Forget failures after a successful attempt that began *at* a time, and note the network of the address.

    All failures under the name from the address are forgotten, since a user may mistype the password. From
    the other counts only this attempt is taken back; otherwise an attacker could reset the count of an
    address by logging in to an account of their own.
    """
    unit.tx.logins.forget_failures_of(_name_and_address_key(name, address))
    unit.tx.logins.forget_failures_of(_anywhere_key(name), at)
    take_back(unit, address, at)
    if address:
        unit.tx.logins.note_network(user.id, _network(unit.svc, address), int(at), keep=MAX_KNOWN_NETWORKS)


def record_failure(unit: Unit, user: User | None) -> None:
    """Note a failed login to an account, or under a name that none has, in the audit log, unless very many of
    the last day are noted already. The name is not noted: it may be a password that was typed into the wrong
    field.
    """
    user_id, max_noted = (None, MAX_LOGINS_OF_NOBODY) if user is None else (user.id, MAX_FAILED_LOGINS)
    # Entries that are further ahead were noted by a clock that was wrong, and must hide none until then.
    day = (unit.now - SECONDS_PER_DAY, unit.now + MAX_CLOCK_DIFFERENCE)
    noted = unit.tx.audit.count_about(user_id, AuditKind.LOGIN_FAILED, *day, among=COUNTED_ENTRIES)
    if noted < max_noted:
        unit.record(AuditKind.LOGIN_FAILED, user_id)


def forgive(tx: Transaction, *names: str) -> None:
    """Forget the failures under the names of an account whose password was replaced."""
    for name in names:
        tx.logins.forget_failures_below(f"{_fold_name(name)} from ")


def begin_proof(unit: Unit, user_id: UserId, now: float) -> None:
    """Count an attempt to prove the password of an account whose key is known.

    :raises RateLimited: too many attempts have failed
    """
    _count_failure(unit, _proof_key(user_id), [rules.PASSWORD_PROOF_BY_USER], now)


def forget_failed_proofs(unit: Unit, user_id: UserId) -> None:
    unit.tx.logins.forget_failures_of(_proof_key(user_id))


def _count_address(unit: Unit, address: str, now: float) -> None:
    """Count an attempt from an address, if it is known, and from the wider network around it.

    :raises RateLimited: too many attempts from one of them have failed
    """
    if address:
        _count_failure(unit, _address_key(address), [rules.AUTHENTICATE_BY_IP], now)
        if (network := site_network(address)) is not None:
            _count_failure(unit, _site_key(network), [rules.AUTHENTICATE_BY_NETWORK], now)


def _count_failure(unit: Unit, key: str, rules_together: Sequence[Rule], now: float) -> None:
    """Count one more failure under a key; *now* is in seconds since 1970.

    :raises RateLimited: all of the rules are exceeded; with one that is not, attempts remain
    """
    counted = unit.tx.logins.failures(key, now - _retention_seconds(unit.svc))
    # One that is further ahead is from before the clock was set back, and must keep nobody out until then.
    failures = [at for at in counted if at <= now + MAX_CLOCK_DIFFERENCE]
    waits = [_seconds_to_wait(unit.svc.rate_limits.items(rule), failures, now) for rule in rules_together]
    if (wait := min(waits)) > 0:
        raise RateLimited(wait, limit=rules_together[0].name)
    unit.tx.logins.note_failure(key, now)


def _retention_seconds(svc: Services) -> int:
    """Return the seconds for which failures are kept."""
    return max([60, *(item.get_expiry() for rule in COUNTING_LOGINS for item in svc.rate_limits.items(rule))])


def _seconds_to_wait(items: Sequence[RateLimitItem], failures: Sequence[float], now: float) -> float:
    """Return the seconds until one more failure is within the limits; the times of *failures* ascend."""
    waits = [
        failures[-item.amount] + item.get_expiry() - now for item in items if len(failures) >= item.amount
    ]
    return max([0.0, *waits])


def _name_and_address_key(name: str, address: str) -> str:
    return f"{_fold_name(name)} from {neighbourhood(address)}"


def _anywhere_key(name: str) -> str:
    return f"{_fold_name(name)} from anywhere"


def _fold_name(name: str) -> str:
    """Normalize a name, so that all spellings that find the same account are equal."""
    return address_key(name)


def _address_key(address: str) -> str:
    return f"address {neighbourhood(address)}"


def _site_key(network: str) -> str:
    return f"network {network}"


def _proof_key(user_id: UserId) -> str:
    return f"account {user_id}"


def _network(svc: Services, address: str) -> str:
    """Return the stored form of an address's network, which does not reveal from where people log in."""
    text = f"network {neighbourhood(address)}".encode()
    return hmac.new(svc.settings.secret_key, text, hashlib.sha256).hexdigest()[:32]
