"""Profiles, presences and personal lists of users."""

from peewee import SQL, BigIntegerField, BooleanField, CompositeKey, TextField

from storage_backends.sql.schema.table import UNIQUE, Serial, Table


class ProfileField(Table):
    id = Serial()
    field_type = BigIntegerField()
    name = TextField(constraints=UNIQUE)
    hint = TextField()
    place = BigIntegerField()
    field_data = TextField()
    display_in_profile_summary = BooleanField()
    required = BooleanField()
    editable_by_user = BooleanField()

    class Meta:
        table_name = "profile_field"


class ProfileValue(Table):
    user_id = BigIntegerField()
    field_id = BigIntegerField()
    value = TextField()
    rendered_value = TextField(null=True)

    class Meta:
        table_name = "profile_value"
        primary_key = CompositeKey("user_id", "field_id")
        without_rowid = True


ProfileValue.indexed("profile_value_field", ProfileValue.field_id)


class UserStatus(Table):
    user_id = BigIntegerField(primary_key=True)
    status_text = TextField()
    emoji_name = TextField()
    emoji_code = TextField()
    reaction_type = TextField()

    class Meta:
        table_name = "user_status"


class UserPresence(Table):
    user_id = BigIntegerField(primary_key=True)
    active_at = BigIntegerField(null=True)
    connected_at = BigIntegerField()
    update_id = BigIntegerField()

    class Meta:
        table_name = "user_presence"


UserPresence.indexed("user_presence_update", UserPresence.update_id)


class MutingPeriod(Table):
    """The positions from which, and up to which, one account had muted another."""

    user_id = BigIntegerField()
    muted_id = BigIntegerField()
    start_position = BigIntegerField()
    until_position = BigIntegerField(null=True)
    muted_at = BigIntegerField()

    class Meta:
        table_name = "muting_period"
        primary_key = CompositeKey("user_id", "muted_id", "start_position")
        without_rowid = True


MutingPeriod.indexed("muting_period_muted", MutingPeriod.muted_id, MutingPeriod.user_id)


class AlertWord(Table):
    id = Serial()
    user_id = BigIntegerField()
    word_key = TextField()
    word = TextField()
    first_token = TextField()

    class Meta:
        table_name = "alert_word"
        constraints = (SQL("UNIQUE (user_id, word_key)"),)


AlertWord.indexed("alert_word_token", AlertWord.first_token)


class Draft(Table):
    id = Serial()
    user_id = BigIntegerField()
    type = TextField()
    recipients = TextField()
    topic = TextField()
    content = TextField()
    timestamp = BigIntegerField()

    class Meta:
        table_name = "draft"


Draft.indexed("draft_user", Draft.user_id, Draft.timestamp, Draft.id)


class OnboardingStep(Table):
    """A step that a person has seen."""

    user_id = BigIntegerField()
    name = TextField()

    class Meta:
        table_name = "onboarding_step"
        primary_key = CompositeKey("user_id", "name")
        without_rowid = True


class SavedSnippet(Table):
    id = Serial()
    user_id = BigIntegerField()
    title = TextField()
    content = TextField()
    date_created = BigIntegerField()

    class Meta:
        table_name = "saved_snippet"


SavedSnippet.indexed("saved_snippet_user", SavedSnippet.user_id, SavedSnippet.id)


class BotStorage(Table):
    user_id = BigIntegerField()
    name = TextField()
    value = TextField()

    class Meta:
        table_name = "bot_storage"
        primary_key = CompositeKey("user_id", "name")
        without_rowid = True
