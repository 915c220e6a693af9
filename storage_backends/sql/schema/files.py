"""Uploaded files, the messages that link to them, and unfinished uploads."""

from peewee import CompositeKey

from chatcore.domain.files.thumbnails import ImageState
from storage_backends.sql.schema.archives import OF_MESSAGE, Derived, Exported, Part, Transient
from storage_backends.sql.schema.columns import Boolean, Choice, Integer, Serial, Text
from storage_backends.sql.schema.table import UNIQUE, Table


class Attachment(Table):
    archive = Exported()  # in part: linked ones, and those of people

    id = Serial()
    path_id = Text(constraints=UNIQUE)
    owner_id = Integer(refers="account")
    name = Text()
    content_type = Text()
    is_shown = Boolean()
    size = Integer()
    created = Integer()
    """The time of the upload, in milliseconds."""
    unlinked_since = Integer(null=True)
    """The time since which no message links to the file, in seconds; null where one does. If a draft of its
    owner names it, the time begins anew.
    """

    class Meta:
        table_name = "attachment"


Attachment.declare_index("attachment_owner", Attachment.owner_id, Attachment.id)
Attachment.declare_index(
    "attachment_unlinked", Attachment.unlinked_since, where=Attachment.unlinked_since.is_null(False)
)


class AttachmentLink(Table):
    archive = Exported(part=OF_MESSAGE)

    attachment_id = Integer(refers="attachment")
    message_id = Integer(refers="message")

    class Meta:
        table_name = "attachment_link"
        primary_key = CompositeKey("attachment_id", "message_id")
        without_rowid = True


AttachmentLink.declare_index(
    "attachment_link_message", AttachmentLink.message_id, AttachmentLink.attachment_id
)


class UnfinishedUpload(Table):
    archive = Transient()

    path_id = Text(primary_key=True)
    owner_id = Integer()
    name = Text()
    content_type = Text()
    metadata = Text()
    length = Integer(null=True)
    offset = Integer(column_name="position")
    """The bytes that have arrived."""
    expires_at = Integer()

    class Meta:
        table_name = "unfinished_upload"


UnfinishedUpload.declare_index("unfinished_upload_owner", UnfinishedUpload.owner_id)
UnfinishedUpload.declare_index("unfinished_upload_expiry", UnfinishedUpload.expires_at)


class UploadSpace(Table):
    """The one row with the bytes of all files."""

    archive = Derived()

    id = Integer(primary_key=True)
    used = Integer()

    class Meta:
        table_name = "upload_space"


class UploadSpaceOfUser(Table):
    archive = Derived()

    owner_id = Integer(primary_key=True)
    files = Integer()
    used = Integer()

    class Meta:
        table_name = "upload_space_of_user"


class UploadedImage(Table):
    """An image whose thumbnails are made; in an import, when somebody looks at them."""

    archive = Exported(part=Part(file="attachment_id"), is_made_again=True)

    attachment_id = Integer(primary_key=True, refers="attachment")
    content_type = Text()
    width = Integer()
    height = Integer()
    is_animated = Boolean()
    state = Choice(ImageState)
    attempts = Integer(column_name="tries", anew=lambda row: 0)
    due = Integer(anew=lambda row: 0)

    class Meta:
        table_name = "uploaded_image"


UploadedImage.declare_index(
    "uploaded_image_due",
    UploadedImage.due,
    UploadedImage.attachment_id,
    where=UploadedImage.state == "pending",
)
