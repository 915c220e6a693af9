"""Rules that follow or unmute a topic by its user's settings; they never make a topic less visible."""

from collections.abc import Collection

from chatcore.domain.people import setting_values
from chatcore.domain.people.settings import DEFAULTS, AutomaticPolicy
from chatcore.domain.people.users import User
from chatcore.domain.topics import VisibilityPolicy


def policy_changing_actions(user: User) -> frozenset[AutomaticPolicy]:
    """Return the actions that follow or unmute topics, by the settings of the user."""
    return frozenset({_following_action(user), _unmuting_action(user)} - {AutomaticPolicy.NEVER})


def policy_by_taking_part(
    user: User, old: VisibilityPolicy, actions: Collection[AutomaticPolicy], *, is_muted: bool
) -> VisibilityPolicy | None:
    """Return the new policy of a person for a topic after these *actions*; None if it stays.

    *is_muted* says whether the person has muted the channel.
    """
    if _following_action(user) in actions and old != VisibilityPolicy.FOLLOWED:
        return VisibilityPolicy.FOLLOWED
    is_hidden = is_muted and old in (VisibilityPolicy.INHERIT, VisibilityPolicy.MUTED)
    return VisibilityPolicy.UNMUTED if is_hidden and _unmuting_action(user) in actions else None


def policy_by_mention(user: User, old: VisibilityPolicy) -> VisibilityPolicy | None:
    """Return the new policy of a user for a topic after a mention; None if it stays."""
    if user.is_bot or old in (VisibilityPolicy.MUTED, VisibilityPolicy.FOLLOWED):
        return None
    follows = setting_values.value(user, "automatically_follow_topics_where_mentioned")
    return VisibilityPolicy.FOLLOWED if follows else None


def _following_action(user: User) -> AutomaticPolicy:
    return _chosen_policy(user, "automatically_follow_topics_policy")


def _unmuting_action(user: User) -> AutomaticPolicy:
    return _chosen_policy(user, "automatically_unmute_topics_in_muted_streams_policy")


def _chosen_policy(user: User, setting: str) -> AutomaticPolicy:
    """Return the action that the user has chosen; the default if the stored number is no
    action, as in an archive of another version.
    """
    chosen = setting_values.value(user, setting)
    known = chosen if chosen in set(AutomaticPolicy) else DEFAULTS[setting]
    assert isinstance(known, int), "the setting accepts the numbers of the actions"
    return AutomaticPolicy(known)
