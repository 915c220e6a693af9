"""Onboarding steps."""

from collections.abc import Collection

from chatcore.domain.ids import UserId
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import OnboardingStep
from storage_backends.sql.statement import Statement, insert, param

FIND = Statement(OnboardingStep.select(OnboardingStep.name).where(OnboardingStep.user_id == param("user_id")))
ADD = Statement(
    insert(OnboardingStep).on_conflict(
        conflict_target=[OnboardingStep.user_id, OnboardingStep.name], action="NOTHING"
    )
)


class OnboardingSteps(SqlRepository):
    def of_user(self, user_id: UserId) -> Collection[str]:
        return self._session.column(FIND, user_id=user_id)

    def add(self, user_id: UserId, name: str) -> bool:
        return self._session.run_counting(ADD, user_id=user_id, name=name) > 0
