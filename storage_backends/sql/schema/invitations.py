"""Invitations, and links that confirm an address."""

from peewee import BigIntegerField, BooleanField, TextField

from storage_backends.sql.schema.table import DEFAULT_FALSE, UNIQUE, Bytewise, Serial, Table


class Invitation(Table):
    """An invitation by address; without an address, a link for many people."""

    id = Serial()
    email = TextField(null=True)
    email_key = TextField(null=True)
    inviter_id = BigIntegerField()
    invited_at = BigIntegerField()
    expires_at = BigIntegerField(null=True)
    role = BigIntegerField()
    channel_ids = TextField()
    group_ids = TextField()
    joins_defaults = BooleanField()
    notifies_inviter = BooleanField()
    welcome_text = TextField(null=True)
    nonce = TextField()
    token_hash = Bytewise(constraints=UNIQUE)

    class Meta:
        table_name = "invitation"


Invitation.indexed("invitation_inviter", Invitation.inviter_id, Invitation.id)
Invitation.indexed("invitation_email", Invitation.email_key)
Invitation.indexed("invitation_expiry", Invitation.expires_at)


class Confirmation(Table):
    """A link that proves that its reader reads the mail of an address."""

    token_hash = Bytewise(primary_key=True)
    proof = TextField()
    nonce = TextField()
    email = TextField()
    email_key = TextField()
    user_id = BigIntegerField(null=True)
    key_version = BigIntegerField()
    expires_at = BigIntegerField()
    invitation_id = BigIntegerField(null=True)

    class Meta:
        table_name = "confirmation"
        without_rowid = True


Confirmation.indexed("confirmation_email", Confirmation.email_key, Confirmation.proof)
Confirmation.indexed("confirmation_user", Confirmation.user_id, Confirmation.proof)
Confirmation.indexed("confirmation_expiry", Confirmation.expires_at)


class Mail(Table):
    """A mail that waits to be sent."""

    id = Serial()
    message_key = TextField()
    recipient = TextField()
    wording = TextField()
    facts = TextField()
    nonce = TextField(null=True)
    written_at = BigIntegerField()
    due = BigIntegerField()
    tries = BigIntegerField()
    is_urgent = BooleanField(constraints=DEFAULT_FALSE)

    class Meta:
        table_name = "mail"


Mail.indexed("mail_due", Mail.due, Mail.id)
Mail.indexed("mail_urgent", Mail.due, Mail.id, where=Mail.is_urgent)
