"""Mails about logins from devices that are new to an account.

The first login is that of whoever has just joined, or is the first since mail was set up: there is nothing to
compare it with, and no mail about it.
"""

from chatcore.application.mail import outbox
from chatcore.application.units import Unit
from chatcore.domain.mail.mails import MailKind, is_mailable
from chatcore.domain.mail_addresses import ascii_address
from chatcore.domain.people.devices import LOGIN_MAILS, MAX_DEVICES, device_of
from chatcore.domain.people.setting_values import value
from chatcore.domain.people.users import User

MAX_WAITING = 5
"""Mails of this kind that wait for an address; with more, the first ones would be overlooked."""


def note_device(unit: Unit, user: User, user_agent: str) -> None:
    """Note the device of a login, and write a mail about a new one; without mail, nothing is noted."""
    device = device_of(user_agent)
    if not unit.svc.settings.sends_mail:
        return
    known = unit.tx.logins.devices(user.id)
    unit.tx.logins.note_device(user.id, device, unit.now, keep=MAX_DEVICES)
    if not known or device in known or not value(user, LOGIN_MAILS):
        return
    address = ascii_address(user.email)
    if is_mailable(address) and unit.tx.mails.count_to(address, MailKind.NEW_LOGIN) < MAX_WAITING:
        outbox.put(unit, MailKind.NEW_LOGIN, user.email, user=str(user.id), device=device)
