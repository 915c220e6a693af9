"""Invitations, and links that confirm an address."""

import secrets
from collections.abc import Mapping

from chatcore.domain.ids import ChannelId, GroupId
from chatcore.domain.mail.confirmations import Proof
from chatcore.domain.mail.mails import MailKind
from chatcore.domain.roles import Role
from storage_backends.sql.schema.accounts import email_key
from storage_backends.sql.schema.archives import Exported, Part, Secret, Transient, made_of
from storage_backends.sql.schema.columns import (
    Boolean,
    Bytewise,
    Choice,
    Integer,
    Json,
    NumberedChoice,
    Serial,
    Text,
)
from storage_backends.sql.schema.table import DEFAULT_FALSE, UNIQUE, Table


class Invitation(Table):
    """An invitation by address; without an address, a link for many people."""

    archive = Exported(part=Part(person="inviter_id"))

    id = Serial()
    email = Text(null=True)
    email_key = Text(null=True, anew=made_of("email", email_key))
    inviter_id = Integer(refers="account")
    invited_at = Integer()
    expires_at = Integer(null=True)
    role = NumberedChoice(Role)
    channel_ids = Json(tuple[ChannelId, ...])
    group_ids = Json(tuple[GroupId, ...])
    joins_defaults = Boolean()
    notifies_inviter = Boolean()
    welcome_text = Text(null=True)
    nonce = Text(anew=lambda row: "")
    token_hash = Bytewise(constraints=UNIQUE, anew=lambda row: secrets.token_hex())
    """In an import, that of no token: each link is drawn when all rows are loaded."""

    class Meta:
        table_name = "invitation"


Invitation.declare_index("invitation_inviter", Invitation.inviter_id, Invitation.id)
Invitation.declare_index("invitation_email", Invitation.email_key)
Invitation.declare_index("invitation_expiry", Invitation.expires_at)


class Confirmation(Table):
    """A link that proves that its reader reads the mail of an address."""

    archive = Secret()

    token_hash = Bytewise(primary_key=True)
    proof = Choice(Proof)
    nonce = Text()
    email = Text()
    email_key = Text()
    user_id = Integer(null=True)
    key_version = Integer()
    expires_at = Integer()
    invitation_id = Integer(null=True)

    class Meta:
        table_name = "confirmation"
        without_rowid = True


Confirmation.declare_index("confirmation_email", Confirmation.email_key, Confirmation.proof)
Confirmation.declare_index("confirmation_user", Confirmation.user_id, Confirmation.proof)
Confirmation.declare_index("confirmation_expiry", Confirmation.expires_at)


class Mail(Table):
    """A mail that waits to be sent."""

    archive = Transient()

    id = Serial()
    message_key = Text()
    recipient = Text()
    kind = Choice(MailKind, column_name="wording")
    facts = Json(Mapping[str, str])
    nonce = Text(null=True)
    written_at = Integer()
    due = Integer()
    attempts = Integer(column_name="tries")
    is_urgent = Boolean(constraints=DEFAULT_FALSE)

    class Meta:
        table_name = "mail"


Mail.declare_index("mail_due", Mail.due, Mail.id)
Mail.declare_index("mail_recipient", Mail.recipient)
Mail.declare_index("mail_urgent", Mail.due, Mail.id, where=Mail.is_urgent)
