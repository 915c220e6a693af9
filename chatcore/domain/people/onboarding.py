"""Onboarding steps: explanations that clients show to a person once."""

from collections.abc import Collection, Sequence
from typing import Final

from chatcore.domain.errors import BadRequest

STEPS: Final = (
    "visibility_policy_banner",
    "intro_inbox_view_modal",
    "intro_recent_view_modal",
    "first_stream_created_banner",
    "jump_to_conversation_banner",
    "non_interleaved_view_messages_fading",
    "interleaved_view_messages_fading",
    "intro_resolve_topic",
)
"""The names that clients know."""


def require_step(name: str) -> None:
    """Refuse a name that no step has.

    :raises BadRequest:
    """
    if name not in STEPS:
        raise BadRequest("Unknown onboarding_step.")


def remaining(done: Collection[str]) -> Sequence[str]:
    """Return the steps that a person who has seen those in *done* has not seen yet."""
    return [name for name in STEPS if name not in done]
