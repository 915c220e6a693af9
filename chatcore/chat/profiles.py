"""The actor's own account: values of custom profile fields, alert words, settings, status, picture."""

from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from chatcore.application.people import alert_words, avatars, profiles, statuses, welcome
from chatcore.application.people import settings as own_settings
from chatcore.application.people.settings import OwnChange
from chatcore.application.people.statuses import NewStatus
from chatcore.chat.given import (
    Names,
    Numbers,
    Person,
    Pieces,
    ProfileEntries,
    a_person,
    all_names,
    all_pieces,
    all_profile_entries,
    number,
    numbers,
    optional,
    text,
    truth,
    user_id_of,
    values_by_name,
)
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor


class Profiles(Part):
    """The actor's values of custom profile fields; `users` returns those of others."""

    def update(self, actor: Actor, entries: ProfileEntries) -> None:
        """Change values in the actor's profile: all of them, or none if one is refused.

        :raises BadRequest: a bot, an unknown field, one that only administrators edit, or an invalid value
        """
        profiles.update_own(self._svc, self._acting(actor), all_profile_entries(entries=entries))

    def remove(self, actor: Actor, field_ids: Numbers) -> None:
        """Clear fields of the actor's profile.

        :raises BadRequest: a bot, an unknown field, or one that only administrators edit
        """
        profiles.remove_own(self._svc, self._acting(actor), numbers(field_ids=field_ids))


class AlertWords(Part):
    def list(self, actor: Actor) -> Sequence[str]:
        """Return the actor's alert words, in the order in which they were added."""
        return alert_words.alert_words(self._svc, self._acting(actor))

    def add(self, actor: Actor, words: Names) -> Sequence[str]:
        """Add alert words and return all; a word that exists in another spelling keeps its spelling.

        :raises BadRequest: a word that is too long or has control characters, or too many words
        """
        return alert_words.add_alert_words(self._svc, self._acting(actor), all_names(words=words))

    def remove(self, actor: Actor, words: Names) -> Sequence[str]:
        """Remove alert words, ignoring case, and return the rest."""
        return alert_words.remove_alert_words(self._svc, self._acting(actor), all_names(words=words))


class Settings(Part):
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

    def run_command(self, actor: Actor, command: str) -> None:
        """Run a command, a slash and a name of `domain.people.commands.COMMANDS`.

        :raises BadRequest: no command, or a bot
        """
        own_settings.run_command(self._svc, self._acting(actor), text(command=command))

    def finish_onboarding_step(self, actor: Actor, name: str) -> None:
        """Store that the actor has seen an onboarding step; a second time is no change.

        :raises BadRequest: no such step, or a bot
        """
        welcome.finish_step(self._svc, self._acting(actor), text(name=name))


class Statuses(Part):
    def get(self, actor: Actor, user_id: int | Actor) -> Mapping[str, Any]:
        """Return a user's status; empty if nothing is set.

        :raises BadRequest: no such user, or one whom a limited guest does not know
        """
        return statuses.status_of(self._svc, self._acting(actor), user_id_of(user_id=user_id))

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


class Pictures(Part):
    """Pictures of people; `open` takes the parts of the address of an uploaded one."""

    def address(self, actor: Actor | None, target: Person, *, medium: bool = False) -> str:
        """Return the address of the picture of the user with an id or address.

        A user whom the actor may not know of has the same picture as an unknown user.

        :raises LoginRequired: no actor, and *target* is an address, or the organization is not open to the
            web
        """
        return avatars.picture_of(
            self._svc, self._acting_if_any(actor), a_person(target=target), medium=truth(medium=medium)
        )

    def open(self, organization: int, name: str) -> BinaryIO:
        """Open a picture, uploaded or generated, by the parts of its address; the caller closes it.

        :raises NoSuchFile:
        """
        return avatars.open_picture(self._svc, number(organization=organization), text(name=name))

    def set_own(self, actor: Actor, pieces: Pieces) -> str:
        """Set another picture of the actor, and return its address.

        :raises FileTooLarge, BadImage, QuotaExceeded, AvatarChangesDisabled, UploadsDisabled:
        :raises RateLimited: another picture of the actor is being made
        """
        return avatars.set_own_picture(self._svc, self._acting(actor), all_pieces(pieces=pieces))

    def remove_own(self, actor: Actor) -> str:
        """Restore the generated picture of the actor, and return its address.

        :raises AvatarChangesDisabled:
        """
        return avatars.remove_own_picture(self._svc, self._acting(actor))
