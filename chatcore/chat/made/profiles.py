"""The actor's own account: values of custom profile fields, alert words, settings, status, picture.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from chatcore.application.people import alert_words, avatars, profiles, settings, statuses, welcome
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
    text,
    truth,
    user_id_of,
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
        """Remove the caller's values of custom profile fields.

        :raises BadRequest: a bot, an unknown field, or one that only administrators edit
        """
        profiles.remove_own(self._svc, self._acting(actor), numbers(field_ids=field_ids))


class AlertWords(Part):
    def list(self, actor: Actor) -> Sequence[str]:
        """List the caller's alert words.

        :returns: the words in the order in which they were added
        """
        return alert_words.alert_words(self._svc, self._acting(actor))

    def add(self, actor: Actor, words: Names) -> Sequence[str]:
        """Add alert words; the answer lists all of them.

        :returns: all words; one that exists in another spelling keeps its spelling
        :raises BadRequest: a word that is too long or has control characters, or too many words
        """
        return alert_words.add_alert_words(self._svc, self._acting(actor), all_names(words=words))

    def remove(self, actor: Actor, words: Names) -> Sequence[str]:
        """Remove alert words; the answer lists the remaining ones.

        :param words: in any case
        :returns: the other words
        :raises BadRequest: more words than an account can have
        """
        return alert_words.remove_alert_words(self._svc, self._acting(actor), all_names(words=words))


class Settings(Part):
    def run_command(self, actor: Actor, command: str) -> None:
        """Run a command, which sets some of the caller's own settings.

        :raises BadRequest: no command, or a bot
        """
        settings.run_command(self._svc, self._acting(actor), text(command=command))

    def finish_onboarding_step(self, actor: Actor, name: str) -> None:
        """Store that the caller has seen an onboarding step, so that clients do not show it again.

        :raises BadRequest: no such step, or a bot
        """
        welcome.finish_step(self._svc, self._acting(actor), text(name=name))


class Statuses(Part):
    def get(self, actor: Actor, user_id: int | Actor) -> Mapping[str, Any]:
        """Return a user's status; empty if nothing is set.

        :raises BadRequest: no such user, or one whom a limited guest does not know
        """
        return statuses.status_of(self._svc, self._acting(actor), user_id_of(user_id=user_id))


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

        :raises NoSuchFile: another *organization* than the one of this server, or no such picture
        """
        return avatars.open_picture(self._svc, number(organization=organization), text(name=name))

    def set_own(self, actor: Actor, pieces: Pieces) -> str:
        """Set another picture of the actor, and return its address.

        :raises FileTooLarge, BadImage, QuotaExceeded, AvatarChangesDisabled, UploadsDisabled:
        :raises RateLimited: another picture of the actor is being processed
        """
        return avatars.set_own_picture(self._svc, self._acting(actor), all_pieces(pieces=pieces))

    def remove_own(self, actor: Actor) -> str:
        """Replace the caller's picture by a generated one.

        :returns: the address of the generated picture
        :raises AvatarChangesDisabled:
        """
        return avatars.remove_own_picture(self._svc, self._acting(actor))
