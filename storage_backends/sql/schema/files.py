"""Uploaded files, the messages that link to them, and unfinished uploads."""

from peewee import BigIntegerField, BooleanField, CompositeKey, TextField

from storage_backends.sql.schema.table import UNIQUE, Serial, Table


class Attachment(Table):
    id = Serial()
    path_id = TextField(constraints=UNIQUE)
    owner_id = BigIntegerField()
    name = TextField()
    content_type = TextField()
    is_shown = BooleanField()
    size = BigIntegerField()
    created = BigIntegerField()
    """The time of the upload, in milliseconds."""
    unlinked_since = BigIntegerField(null=True)
    """The time since which no message links to the file, in seconds; null where one does."""

    class Meta:
        table_name = "attachment"


Attachment.indexed("attachment_owner", Attachment.owner_id, Attachment.id)
Attachment.indexed(
    "attachment_unlinked", Attachment.unlinked_since, where=Attachment.unlinked_since.is_null(False)
)


class AttachmentLink(Table):
    attachment_id = BigIntegerField()
    message_id = BigIntegerField()

    class Meta:
        table_name = "attachment_link"
        primary_key = CompositeKey("attachment_id", "message_id")
        without_rowid = True


AttachmentLink.indexed("attachment_link_message", AttachmentLink.message_id, AttachmentLink.attachment_id)


class UnfinishedUpload(Table):
    path_id = TextField(primary_key=True)
    owner_id = BigIntegerField()
    name = TextField()
    content_type = TextField()
    metadata = TextField()
    length = BigIntegerField(null=True)
    position = BigIntegerField()
    """The bytes that have arrived."""
    expires_at = BigIntegerField()

    class Meta:
        table_name = "unfinished_upload"


UnfinishedUpload.indexed("unfinished_upload_owner", UnfinishedUpload.owner_id)
UnfinishedUpload.indexed("unfinished_upload_expiry", UnfinishedUpload.expires_at)


class UploadSpace(Table):
    """The one row with the bytes of all files."""

    id = BigIntegerField(primary_key=True)
    used = BigIntegerField()

    class Meta:
        table_name = "upload_space"


class UploadSpaceOfUser(Table):
    owner_id = BigIntegerField(primary_key=True)
    files = BigIntegerField()
    used = BigIntegerField()

    class Meta:
        table_name = "upload_space_of_user"


class UploadedImage(Table):
    attachment_id = BigIntegerField(primary_key=True)
    content_type = TextField()
    width = BigIntegerField()
    height = BigIntegerField()
    is_animated = BooleanField()
    state = TextField()
    tries = BigIntegerField()
    due = BigIntegerField()

    class Meta:
        table_name = "uploaded_image"


UploadedImage.indexed(
    "uploaded_image_due",
    UploadedImage.due,
    UploadedImage.attachment_id,
    where=UploadedImage.state == "pending",
)
