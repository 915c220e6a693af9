"""Invitations, by address and by link."""

from typing import Annotated, Literal

from msgspec import field

from chatcore.application.arguments import about
from chatcore.application.invitations import inviting, listing
from chatcore.application.invitations.inviting import Offer
from chatcore.application.services import Services
from chatcore.domain.invitations.invitations import DEFAULT_MINUTES
from chatcore.domain.roles import Role
from chatcore.events.payloads.invitations import InvitationShape
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.encoding import encode_items
from chatcore.http.pipeline.routing import Answer, Done


class InvitationsAnswer(Answer, frozen=True, kw_only=True):
    invites: list[InvitationShape]


def list_invitations(svc: Services, caller: Caller, p: NoParams) -> InvitationsAnswer:
    """List the invitations that wait: the caller's own, for an administrator all of them."""
    invitations = listing.list_invitations(svc, caller.actor, organization_url=caller.organization_url)
    return InvitationsAnswer(invites=encode_items([*invitations]))


class OfferParams(Params, kw_only=True, frozen=True):
    invite_expires_in_minutes: Annotated[
        int | None, about("Minutes for which it is valid; null is for ever.")
    ] = DEFAULT_MINUTES
    invite_as: Annotated[
        Literal[100, 200, 300, 400, 600], about("The role of the new people, not above that of the caller.")
    ] = 400
    stream_ids: Annotated[list[int], about("The channels that they join.")] = field(default_factory=list)
    group_ids: Annotated[list[int], about("The user groups that they join.")] = field(default_factory=list)
    include_realm_default_subscriptions: Annotated[
        bool, about("Whether they join the default channels, too.")
    ] = False
    welcome_message_custom_text: Annotated[
        Text | None,
        about("The end of the message that welcomes them, set by administrators; null is the usual one."),
    ] = None

    def offer(self) -> Offer:
        return Offer(
            expires_in_minutes=self.invite_expires_in_minutes,
            role=Role(self.invite_as),
            channel_ids=self.stream_ids,
            group_ids=self.group_ids,
            joins_defaults=self.include_realm_default_subscriptions,
            welcome_text=self.welcome_message_custom_text,
        )


class InviteParams(OfferParams, kw_only=True, frozen=True):
    invitee_emails: Annotated[
        Text,
        about("Addresses, with or without names, separated by commas, semicolons, blanks or line ends."),
    ]
    stream_ids: Annotated[list[int], about("The channels that they join.")]
    notify_referrer_on_join: Annotated[
        bool, about("Whether the caller gets a message when somebody joins.")
    ] = True


def invite(svc: Services, caller: Caller, p: InviteParams) -> Done:
    """Invite people by mail."""
    inviting.invite(svc, caller.actor, p.invitee_emails, p.offer(), notify_inviter=p.notify_referrer_on_join)
    return Done()


class LinkAnswer(Answer, frozen=True, kw_only=True):
    invite_link: str


def make_link(svc: Services, caller: Caller, p: OfferParams) -> LinkAnswer:
    """Create a link by which any number of people can join."""
    return LinkAnswer(
        invite_link=inviting.make_link(svc, caller.actor, p.offer(), organization_url=caller.organization_url)
    )
