"""The organization, and the lists that its administrators maintain for everybody."""

from peewee import SQL, BigIntegerField, BooleanField, TextField

from storage_backends.sql.schema.table import UNIQUE, Serial, Table


class Organization(Table):
    """The one row with the settings, as JSON."""

    id = BigIntegerField(primary_key=True)
    data = TextField()

    class Meta:
        table_name = "organization"


class Linkifier(Table):
    id = Serial()
    place = BigIntegerField()
    pattern = TextField()
    url_template = TextField()

    class Meta:
        table_name = "linkifier"


class Playground(Table):
    id = Serial()
    name = TextField()
    highlighter_language = TextField()
    url_template = TextField()

    class Meta:
        table_name = "playground"
        constraints = (SQL("UNIQUE (highlighter_language, name)"),)


class CustomEmoji(Table):
    id = Serial()
    name = TextField()
    author_id = BigIntegerField()
    token = TextField(constraints=UNIQUE)
    content_type = TextField()
    is_animated = BooleanField()
    deactivated = BooleanField()

    class Meta:
        table_name = "custom_emoji"


CustomEmoji.indexed("custom_emoji_active", CustomEmoji.name, where=~CustomEmoji.deactivated, unique=True)


class RequestedExport(Table):
    id = Serial()
    acting_user_id = BigIntegerField()
    export_type = BigIntegerField()
    requested_at = BigIntegerField()
    token = TextField(constraints=UNIQUE)
    attempts = BigIntegerField()
    finished_at = BigIntegerField(null=True)
    failed_at = BigIntegerField(null=True)
    deleted_at = BigIntegerField(null=True)

    class Meta:
        table_name = "requested_export"


class ImportProgress(Table):
    """Files of messages of other systems."""

    source = TextField(primary_key=True)
    lines = BigIntegerField()
    finished = BooleanField()

    class Meta:
        table_name = "import_progress"


class ImportedMessage(Table):
    """A message of another system, also when it is deleted here."""

    digest = TextField(primary_key=True)

    class Meta:
        table_name = "imported_message"
        without_rowid = True
