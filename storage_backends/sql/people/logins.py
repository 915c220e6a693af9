"""Failed logins, and the networks from which accounts have logged in."""

from collections.abc import Sequence

from peewee import fn

from chatcore.domain.ids import UserId
from chatcore.domain.mail_addresses import address_key
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import KnownDevice, KnownNetwork, LoginFailure
from storage_backends.sql.statement import Statement, insert, param, remove_but_newest, upsert

OF_NAME = LoginFailure.name_key == param("name_key")
NETWORKS = KnownNetwork.alias("known")
DEVICES = KnownDevice.alias("known")

FIND_FAILURES = Statement(
    LoginFailure.select(LoginFailure.failed_at)
    .where(OF_NAME, LoginFailure.failed_at > param("since"))
    .order_by(LoginFailure.failed_at)
)
ADD_FAILURE = Statement(insert(LoginFailure))
FORGET_FAILURES = Statement(LoginFailure.delete().where(LoginFailure.failed_at < param("before")))
FORGET_FAILURES_OF = Statement(LoginFailure.delete().where(OF_NAME))
FORGET_FAILURE = Statement(LoginFailure.delete().where(OF_NAME, LoginFailure.failed_at == param("failed_at")))
FORGET_FAILURES_BELOW = Statement(
    LoginFailure.delete().where(fn.substr(LoginFailure.name_key, 1, param("length")) == param("beginning"))
)
FIND_NETWORK = Statement(
    KnownNetwork.select(KnownNetwork.network).where(
        KnownNetwork.user_id == param("user_id"), KnownNetwork.network == param("network")
    )
)
PUT_NETWORK = upsert(KnownNetwork)
FORGET_NETWORKS = remove_but_newest(NETWORKS, "network", NETWORKS.seen_at.desc(), NETWORKS.network)
FIND_DEVICES = Statement(
    KnownDevice.select(KnownDevice.device).where(KnownDevice.user_id == param("user_id"))
)
PUT_DEVICE = upsert(KnownDevice)
FORGET_DEVICES = remove_but_newest(DEVICES, "device", DEVICES.seen_at.desc(), DEVICES.device)


class Logins(SqlRepository):
    def failures(self, name: str, since: float) -> Sequence[float]:
        return self._session.column(FIND_FAILURES, name_key=address_key(name), since=since)

    def note_failure(self, name: str, at: float) -> None:
        self._session.run(ADD_FAILURE, name_key=address_key(name), failed_at=at)

    def forget_failures(self, before: float) -> None:
        self._session.run(FORGET_FAILURES, before=before)

    def forget_failures_of(self, name: str, at: float | None = None) -> None:
        if at is None:
            self._session.run(FORGET_FAILURES_OF, name_key=address_key(name))
        else:
            self._session.run(FORGET_FAILURE, name_key=address_key(name), failed_at=at)

    def forget_failures_below(self, beginning: str) -> None:
        key = beginning.strip().lower()
        self._session.run(FORGET_FAILURES_BELOW, length=len(key), beginning=key)

    def knows(self, user_id: UserId, network: str) -> bool:
        return bool(self._session.rows(FIND_NETWORK, user_id=user_id, network=network))

    def note_network(self, user_id: UserId, network: str, at: int, *, keep: int) -> None:
        self._session.run(PUT_NETWORK, user_id=user_id, network=network, seen_at=at)
        self._session.run(FORGET_NETWORKS, user_id=user_id, keep=keep)

    def devices(self, user_id: UserId) -> frozenset[str]:
        return frozenset(self._session.column(FIND_DEVICES, user_id=user_id))

    def note_device(self, user_id: UserId, device: str, at: int, *, keep: int) -> None:
        self._session.run(PUT_DEVICE, user_id=user_id, device=device, seen_at=at)
        self._session.run(FORGET_DEVICES, user_id=user_id, keep=keep)
