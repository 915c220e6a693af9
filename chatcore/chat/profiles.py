"""One's own account: values of custom profile fields, alert words, settings, a status, a picture."""

from chatcore.application import avatars, own_settings, profile_data, statuses, users
from chatcore.application.own_settings import OwnChange
from chatcore.application.statuses import NewStatus
from chatcore.chat.noun import Noun, use_case, use_case_with
from chatcore.domain.groups import Actor


class Profiles(Noun):
    """The values that the actor has in custom profile fields. Those of others come with `users`."""

    update = use_case(profile_data.update_own)
    remove = use_case(profile_data.remove_own)


class AlertWords(Noun):
    list = use_case(users.alert_words)
    add = use_case(users.add_alert_words)
    remove = use_case(users.remove_alert_words)


class Settings(Noun):
    change = use_case_with(own_settings.change_own, OwnChange)


class Statuses(Noun):
    get = use_case(statuses.status_of)

    def set(
        self,
        actor: Actor,
        *,
        away: bool | None = None,
        status_text: str | None = None,
        emoji_name: str | None = None,
        emoji_code: str | None = None,
        reaction_type: str | None = None,
    ) -> None:
        """Set parts of the actor's own status; None leaves a part as it is, an empty text clears it.

        :raises BadRequest: a bot, nothing to set, a text that is too long, or no such emoji
        """
        new = NewStatus(
            away=away,
            status_text=status_text,
            emoji_name=emoji_name,
            emoji_code=emoji_code,
            reaction_type=reaction_type,
        )
        statuses.set_status(self._svc, actor, new)

    def set_of(
        self,
        actor: Actor,
        user_id: int,
        *,
        status_text: str | None = None,
        emoji_name: str | None = None,
        emoji_code: str | None = None,
        reaction_type: str | None = None,
    ) -> None:
        """Set parts of another person's status, as an administrator.

        :raises BadRequest: no administrator, no such person, one that is deactivated, or as for one's own
        """
        new = NewStatus(
            status_text=status_text,
            emoji_name=emoji_name,
            emoji_code=emoji_code,
            reaction_type=reaction_type,
        )
        statuses.set_status_of(self._svc, actor, user_id, new)


class Pictures(Noun):
    """Pictures of people. An uploaded one is opened by the parts of its address."""

    address = use_case(avatars.picture_of)
    open = use_case(avatars.open_picture)
    set_own = use_case(avatars.set_own_picture)
    remove_own = use_case(avatars.remove_own_picture)
