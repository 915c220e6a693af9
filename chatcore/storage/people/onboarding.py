"""Onboarding steps that people have seen."""

from collections.abc import Collection
from typing import Protocol

from chatcore.domain.ids import UserId


class OnboardingSteps(Protocol):
    def of_user(self, user_id: UserId) -> Collection[str]:
        """Return the names of the steps that the user has seen."""

    def add(self, user_id: UserId, name: str) -> bool:
        """Store that the user has seen a step; return whether that is new."""
