"""Configuration by administrators for all users.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Mapping, Sequence
from typing import BinaryIO

from chatcore.application.organization import (
    audit,
    custom_emoji,
    deactivation,
    domains,
    linkifiers,
    pictures,
    playgrounds,
    profile_fields,
    settings,
)
from chatcore.chat.given import (
    Numbers,
    Pieces,
    a_picture_kind,
    all_pieces,
    number,
    numbers,
    optional,
    text,
    truth,
)
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.ids import LinkifierId, PlaygroundId
from chatcore.domain.organization.audit import AuditKind, AuditTarget, OriginKind
from chatcore.domain.organization.domains import Domain
from chatcore.domain.organization.pictures import PictureKind
from chatcore.events.payloads.configuration import LinkifierObject, ProfileFieldObject
from chatcore.events.payloads.emoji import EmojiShape
from chatcore.events.payloads.organization import AuditEntryObject


class Organization(Part):
    """Settings of the organization; `domain.organization.settings.SETTINGS` lists them."""

    def permissions(self) -> Mapping[str, GroupSetting]:
        """Return the permissions, by the names of `domain.groups.permissions.ORGANIZATION_PERMISSIONS`."""
        return settings.organization_permissions(self._svc)

    def deactivate(self, actor: Actor) -> None:
        """Deactivate the whole organization; it refuses all requests until its operators reactivate it.

        :raises InsufficientRole: the actor is not an owner
        """
        deactivation.deactivate_organization(self._svc, self._acting(actor))

    def reactivate(self) -> None:
        """Reactivate the organization, as it was; for its own tools, as nobody can log in."""
        deactivation.reactivate_organization(self._svc)

    def audit_log(
        self,
        actor: Actor,
        *,
        kind: AuditKind | None = None,
        actor_id: int | None = None,
        origin: OriginKind | None = None,
        target_type: AuditTarget | None = None,
        target_id: int | None = None,
        since: int | None = None,
        until: int | None = None,
        before: int | None = None,
        limit: int = 100,
    ) -> Sequence[AuditEntryObject]:
        """List entries of the audit log, the newest first: who changed what of the organization. E-mail
        addresses that the actor may not see now are left out, and so is what only owners see: entries about
        holds.

        :returns: the newest entries that are wanted; fewer than *limit* of them are the last
        :raises InsufficientRole: the actor is no administrator
        :raises InvalidParameter: a number out of its bounds
        """
        return audit.list_audit_log(
            self._svc,
            self._acting(actor),
            kind=kind,
            actor_id=optional(number, actor_id=actor_id),
            origin=origin,
            target_type=target_type,
            target_id=optional(number, target_id=target_id),
            since=optional(number, since=since),
            until=optional(number, until=until),
            before=optional(number, before=before),
            limit=number(limit=limit),
        )


class OrganizationPictures(Part):
    """The organization's icon and logos: `icon`, `logo`, and `night_logo` for dark backgrounds."""

    def url(self, kind: PictureKind | str) -> str:
        """Return the address of a picture now."""
        return pictures.url_of_picture(self._svc, a_picture_kind(kind=kind))

    def open(self, organization: int, name: str) -> BinaryIO:
        """Open an uploaded picture by the parts of its address; the caller closes it.

        :raises NoSuchFile:
        """
        return pictures.open_picture(self._svc, number(organization=organization), text(name=name))

    def set(self, actor: Actor, kind: PictureKind | str, pieces: Pieces) -> str:
        """Upload a picture of the organization, and return its address.

        :raises InsufficientRole: the actor is not an administrator
        :raises FileTooLarge, BadImage, QuotaExceeded, UploadsDisabled:
        :raises RateLimited: another picture of the actor is being processed
        """
        return pictures.set_picture(
            self._svc, self._acting(actor), a_picture_kind(kind=kind), all_pieces(pieces=pieces)
        )

    def remove(self, actor: Actor, kind: PictureKind | str) -> str:
        """Restore the generated picture, and return its address.

        :raises InsufficientRole: the actor is not an administrator
        """
        return pictures.remove_picture(self._svc, self._acting(actor), a_picture_kind(kind=kind))


class Domains(Part):
    """Domains of addresses; they count if `emails_restricted_to_domains` is set."""

    def list(self) -> Sequence[Domain]:
        """Return the domains, in the order in which they were added."""
        return domains.list_domains(self._svc)

    def update(self, actor: Actor, name: str, *, allow_subdomains: bool) -> None:
        """Allow or forbid the subdomains of a domain.

        :raises InsufficientRole, BadRequest: the actor is not an owner; no such domain
        """
        domains.update_domain(
            self._svc,
            self._acting(actor),
            text(name=name),
            allow_subdomains=truth(allow_subdomains=allow_subdomains),
        )

    def remove(self, actor: Actor, name: str) -> None:
        """Remove a domain. Without the last one, addresses are not restricted any more.

        :raises InsufficientRole, BadRequest: the actor is not an owner; no such domain
        """
        domains.remove_domain(self._svc, self._acting(actor), text(name=name))


class ProfileFields(Part):
    """Custom profile fields."""

    def list(self) -> Sequence[ProfileFieldObject]:
        """List all fields in their order."""
        return profile_fields.list_fields(self._svc)

    def remove(self, actor: Actor, field_id: int) -> None:
        """Remove a custom profile field with everybody's values.

        :raises InsufficientRole, BadRequest: the actor is not an administrator; no such field
        """
        profile_fields.remove_field(self._svc, self._acting(actor), number(field_id=field_id))

    def reorder(self, actor: Actor, order: Numbers) -> None:
        """Set the order of the custom profile fields.

        :raises InsufficientRole, BadRequest: the actor is not an administrator; a field is missing from the
            order
        """
        profile_fields.reorder_fields(self._svc, self._acting(actor), numbers(order=order))


class Linkifiers(Part):
    def list(self) -> Sequence[LinkifierObject]:
        """List all linkifiers in their order."""
        return linkifiers.list_linkifiers(self._svc)

    def add(self, actor: Actor, pattern: str, url_template: str) -> LinkifierId:
        """Add a linkifier after all others.

        :raises InsufficientRole: the actor is not an administrator
        :raises BadRequest: an unusable pattern or template, a duplicate, or linkifiers that are too large
            together
        """
        return linkifiers.add_linkifier(
            self._svc, self._acting(actor), text(pattern=pattern), text(url_template=url_template)
        )

    def update(self, actor: Actor, linkifier_id: int, pattern: str, url_template: str) -> None:
        """Change a linkifier.

        :effect: messages sent before keep their HTML
        :raises InsufficientRole: the actor is not an administrator
        :raises BadRequest: no such linkifier, an unusable pattern or template, or linkifiers that are too
            large together
        """
        linkifiers.update_linkifier(
            self._svc,
            self._acting(actor),
            number(linkifier_id=linkifier_id),
            text(pattern=pattern),
            text(url_template=url_template),
        )

    def remove(self, actor: Actor, linkifier_id: int) -> None:
        """Remove a linkifier.

        :raises InsufficientRole, BadRequest: the actor is not an administrator; no such linkifier
        """
        linkifiers.remove_linkifier(self._svc, self._acting(actor), number(linkifier_id=linkifier_id))

    def reorder(self, actor: Actor, ordered_ids: Numbers) -> None:
        """Set the order in which linkifiers are applied.

        :raises InsufficientRole, BadRequest: the actor is not an administrator; the order does not name each
            linkifier exactly once
        """
        linkifiers.reorder_linkifiers(self._svc, self._acting(actor), numbers(ordered_ids=ordered_ids))


class Playgrounds(Part):
    """Code playgrounds; `events.register` lists them under `realm_playgrounds`."""

    def add(self, actor: Actor, name: str, language: str, url_template: str) -> PlaygroundId:
        """Add a code playground for a language.

        :raises InsufficientRole: the actor is not an administrator
        :raises BadRequest: an invalid name, language or template, or a duplicate
        """
        return playgrounds.add_playground(
            self._svc,
            self._acting(actor),
            text(name=name),
            text(language=language),
            text(url_template=url_template),
        )

    def remove(self, actor: Actor, playground_id: int) -> None:
        """Remove a code playground.

        :raises InsufficientRole, BadRequest: the actor is not an administrator; no such playground
        """
        playgrounds.remove_playground(self._svc, self._acting(actor), number(playground_id=playground_id))


class Emoji(Part):
    """The organization's own emoji."""

    def list(self) -> dict[str, EmojiShape]:
        """Return all emoji of the organization by id, including deactivated ones."""
        return custom_emoji.list_emoji(self._svc)

    def add(self, actor: Actor, name: str, pieces: Pieces) -> None:
        """Add an emoji with a picture (PNG, GIF, JPEG or WebP), which is read in pieces.

        :raises BadRequest: no permission, an invalid or taken name, or too many emoji
        :raises FileTooLarge, BadImage, QuotaExceeded, UploadsDisabled:
        :raises RateLimited: another picture of the actor is being processed, or too many emoji on one day
        """
        custom_emoji.add_emoji(self._svc, self._acting(actor), text(name=name), all_pieces(pieces=pieces))

    def open_picture(self, file_name: str, *, still: bool = False) -> tuple[str, BinaryIO]:
        """Return the media type of an emoji's file and the open file, which the caller closes; with *still*,
        of the first frame of an animation.

        :raises NoSuchFile: no such emoji, or no such file of it
        """
        return custom_emoji.open_picture(self._svc, text(file_name=file_name), still=truth(still=still))

    def deactivate(self, actor: Actor, name: str) -> None:
        """Deactivate an emoji of the organization.

        :effect: the emoji stays where it was used
        :raises NoSuchEmoji: no active emoji of this name
        :raises BadRequest: the actor is neither an administrator nor its author
        """
        custom_emoji.deactivate_emoji(self._svc, self._acting(actor), text(name=name))
