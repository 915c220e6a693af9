"""The actor's own account: values of custom profile fields, alert words, settings, status, picture."""

from collections.abc import Mapping

from chatcore.application.people import settings as own_settings
from chatcore.application.people import statuses
from chatcore.application.people.settings import OwnChange
from chatcore.application.people.statuses import NewStatus
from chatcore.chat.given import (
    optional,
    text,
    truth,
    user_id_of,
    values_by_name,
)
from chatcore.chat.made import profiles as made
from chatcore.domain.groups.actors import Actor


class Settings(made.Settings):
    def change(
        self,
        actor: Actor,
        *,
        full_name: str = "",
        email: str = "",
        old_password: str = "",
        new_password: str = "",
        settings: Mapping[str, object] = {},
    ) -> None:
        """Change the actor's account: all requested changes, or none.

        A blank text leaves a part unchanged. A new password also replaces the API key.

        :raises InvalidParameter: no such setting, or an invalid value
        :raises BadRequest: a bot, an invalid name, address or password, or one that the actor may not change
        :raises RateLimited: too many attempts with a wrong password, or too many new addresses
        """
        own_settings.change_own(
            self._svc,
            self._acting(actor),
            OwnChange(
                full_name=text(full_name=full_name),
                email=text(email=email),
                old_password=text(old_password=old_password),
                new_password=text(new_password=new_password),
                settings=values_by_name(settings=settings),
            ),
        )


class Statuses(made.Statuses):
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
        """Set parts of the actor's own status; None leaves a part unchanged, an empty text clears it.

        :raises BadRequest: a bot, nothing to set, a text that is too long, or no such emoji
        """
        new = NewStatus(
            away=optional(truth, away=away),
            status_text=optional(text, status_text=status_text),
            emoji_name=optional(text, emoji_name=emoji_name),
            emoji_code=optional(text, emoji_code=emoji_code),
            reaction_type=optional(text, reaction_type=reaction_type),
        )
        statuses.set_status(self._svc, self._acting(actor), new)

    def set_of(
        self,
        actor: Actor,
        user_id: int | Actor,
        *,
        status_text: str | None = None,
        emoji_name: str | None = None,
        emoji_code: str | None = None,
        reaction_type: str | None = None,
    ) -> None:
        """Set parts of another person's status, as an administrator.

        :raises BadRequest: the actor is not an administrator, no such person, a deactivated one, or as for
            `set`
        """
        new = NewStatus(
            status_text=optional(text, status_text=status_text),
            emoji_name=optional(text, emoji_name=emoji_name),
            emoji_code=optional(text, emoji_code=emoji_code),
            reaction_type=optional(text, reaction_type=reaction_type),
        )
        statuses.set_status_of(self._svc, self._acting(actor), user_id_of(user_id=user_id), new)
