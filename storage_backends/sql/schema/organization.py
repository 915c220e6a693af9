"""The organization, and the lists that its administrators maintain for everybody."""

from peewee import SQL

from chatcore.domain.archives.exports import ExportType
from storage_backends.sql.schema.archives import Exported, Transient
from storage_backends.sql.schema.columns import Boolean, Integer, NumberedChoice, Serial, Text
from storage_backends.sql.schema.table import UNIQUE, Table


class Organization(Table):
    """The one row with the settings, as JSON."""

    archive = Exported()

    id = Integer(primary_key=True)
    data = Text()
    """Exports leave out the fingerprint of the secret."""

    class Meta:
        table_name = "organization"


class Linkifier(Table):
    archive = Exported()

    id = Serial()
    place = Integer()
    pattern = Text()
    url_template = Text()

    class Meta:
        table_name = "linkifier"


class Playground(Table):
    archive = Exported()

    id = Serial()
    name = Text()
    highlighter_language = Text()
    url_template = Text()

    class Meta:
        table_name = "playground"
        constraints = (SQL("UNIQUE (highlighter_language, name)"),)


class CustomEmoji(Table):
    archive = Exported()

    id = Serial()
    name = Text()
    author_id = Integer(refers="account")
    token = Text(constraints=UNIQUE, exported=True)
    content_type = Text()
    is_animated = Boolean()
    deactivated = Boolean()

    class Meta:
        table_name = "custom_emoji"


CustomEmoji.declare_index(
    "custom_emoji_active", CustomEmoji.name, where=~CustomEmoji.deactivated, unique=True
)


class RequestedExport(Table):
    archive = Transient()

    id = Serial()
    acting_user_id = Integer()
    export_type = NumberedChoice(ExportType)
    user_id = Integer(null=True)
    requested_at = Integer()
    token = Text(constraints=UNIQUE)
    attempts = Integer()
    finished_at = Integer(null=True)
    failed_at = Integer(null=True)
    deleted_at = Integer(null=True)

    class Meta:
        table_name = "requested_export"


class ImportProgress(Table):
    """Files of messages of other systems."""

    archive = Exported()

    source = Text(primary_key=True)
    lines = Integer()
    finished = Boolean()

    class Meta:
        table_name = "import_progress"


class ImportedMessage(Table):
    """A message of another system, also when it is deleted here."""

    archive = Exported()

    digest = Text(primary_key=True, exported=True)

    class Meta:
        table_name = "imported_message"
        without_rowid = True
