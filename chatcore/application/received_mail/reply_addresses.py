"""Addresses by which people answer mails about missed messages. The store holds none of them."""

import hmac
from typing import Final

from chatcore.application.services import Services
from chatcore.application.signing import short_mark
from chatcore.application.units import View
from chatcore.domain.ids import MessageId
from chatcore.domain.mail_addresses import ascii_domain
from chatcore.domain.people.users import User
from chatcore.domain.received_mail.reply_addresses import (
    LIFETIME,
    MAX_LENGTH,
    ReplyPlace,
    local_part,
    read_local_part,
)

PURPOSE: Final = "reply"


def reply_address(svc: Services, user: User, message_id: MessageId) -> str:
    """Return the address by which the person answers in the conversation of a message.

    It ends after a while, and with the person's API key.
    """
    place = ReplyPlace(user.id, message_id, svc.now + LIFETIME)
    return f"{local_part(place, _mark(svc, place, user))}@{svc.settings.host}"


def find_reply_place(view: View, address: str) -> tuple[ReplyPlace, User] | None:
    """Return what an address is for, or None if `reply_address` has not made it, or it has ended."""
    if len(address) > MAX_LENGTH:
        return None
    local, _, host = address.rpartition("@")
    parts = read_local_part(local)
    if parts is None or ascii_domain(host).lower() != ascii_domain(view.svc.settings.host).lower():
        return None
    place, mark = parts
    user = view.snapshot.users.find(place.user_id)
    if user is None or user.is_bot or not user.is_active or view.now >= place.expires_at:
        return None
    if not hmac.compare_digest(mark, _mark(view.svc, place, user)):
        return None
    return place, user


def _mark(svc: Services, place: ReplyPlace, user: User) -> str:
    return short_mark(svc, PURPOSE, f"{place.text}_{user.key_version:x}")
