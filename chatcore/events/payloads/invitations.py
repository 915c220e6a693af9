"""Invitations as clients receive them."""

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.domain.invitations.invitations import Invitation


class InvitationShape(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation, by address or by link."""

    id: int
    invited_by_user_id: int
    invited: int
    expiry_date: int | None
    invited_as: int
    email: str | UnsetType = UNSET
    notify_referrer_on_join: bool
    link_url: str | UnsetType = UNSET
    is_multiuse: bool


def invitation_shape(invitation: Invitation, link: str | None) -> InvitationShape:
    return InvitationShape(
        id=invitation.id,
        invited_by_user_id=invitation.inviter_id,
        invited=invitation.invited_at,
        expiry_date=invitation.expires_at,
        invited_as=int(invitation.role),
        email=UNSET if invitation.email is None else invitation.email,
        notify_referrer_on_join=invitation.notifies_inviter,
        link_url=UNSET if link is None else link,
        is_multiuse=invitation.is_link,
    )
