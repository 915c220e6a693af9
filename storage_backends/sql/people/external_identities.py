"""Identities of people at the providers that vouch for them."""

from collections.abc import Collection, Mapping

from chatcore.domain.ids import UserId
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import ExternalIdentity
from storage_backends.sql.statement import Statement, in_list, insert, param

OF_USER = ExternalIdentity.user_id == param("user_id")

FIND = Statement(
    ExternalIdentity.select(ExternalIdentity.user_id).where(
        ExternalIdentity.provider == param("provider"), ExternalIdentity.subject == param("subject")
    )
)
FIND_ALL = Statement(
    ExternalIdentity.select(ExternalIdentity.provider, ExternalIdentity.subject).where(OF_USER)
)
FIND_SUBJECTS = Statement(
    ExternalIdentity.select(ExternalIdentity.user_id, ExternalIdentity.subject).where(
        in_list(ExternalIdentity.user_id, "user_ids"), ExternalIdentity.provider == param("provider")
    )
)
ADD = Statement(insert(ExternalIdentity))
REMOVE_ALL = Statement(ExternalIdentity.delete().where(OF_USER))
REMOVE = Statement(ExternalIdentity.delete().where(OF_USER, ExternalIdentity.provider == param("provider")))


class ExternalIdentities(SqlRepository):
    def find(self, provider: str, subject: str) -> UserId | None:
        found: UserId | None = self._session.value(FIND, provider=provider, subject=subject)
        return found

    def of_user(self, user_id: UserId) -> Mapping[str, str]:
        return self._session.mapping(FIND_ALL, user_id=user_id)

    def subjects(self, provider: str, user_ids: Collection[UserId]) -> Mapping[UserId, str]:
        return self._session.mapping(FIND_SUBJECTS, provider=provider, user_ids=user_ids)

    def add(self, provider: str, subject: str, user_id: UserId) -> None:
        self._session.run(ADD, provider=provider, subject=subject, user_id=user_id)

    def remove_of_user(self, user_id: UserId, provider: str | None = None) -> None:
        if provider is None:
            self._session.run(REMOVE_ALL, user_id=user_id)
        else:
            self._session.run(REMOVE, user_id=user_id, provider=provider)
