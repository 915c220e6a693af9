"""Profiles, presences and personal lists of users."""

from collections.abc import Mapping
from typing import Any

from peewee import SQL, CompositeKey

from chatcore.domain.messages.drafts import DraftType
from chatcore.domain.organization.profile_fields import FieldType
from chatcore.domain.people.erasure import Step
from storage_backends.sql.schema.archives import OF_PERSON, Exported
from storage_backends.sql.schema.columns import Boolean, Choice, Integer, Json, NumberedChoice, Serial, Text
from storage_backends.sql.schema.table import UNIQUE, Table


class ProfileField(Table):
    archive = Exported()

    id = Serial()
    type = NumberedChoice(FieldType, column_name="field_type")
    name = Text(constraints=UNIQUE)
    hint = Text()
    order = Integer(column_name="place")
    field_data = Json(Mapping[str, Any])
    display_in_profile_summary = Boolean()
    required = Boolean()
    editable_by_user = Boolean()

    class Meta:
        table_name = "profile_field"


class ProfileValue(Table):
    archive = Exported()

    user_id = Integer(refers="account")
    field_id = Integer(refers="profile_field")
    value = Text()
    rendered_value = Text(null=True)

    class Meta:
        table_name = "profile_value"
        primary_key = CompositeKey("user_id", "field_id")
        without_rowid = True


ProfileValue.declare_index("profile_value_field", ProfileValue.field_id)


class UserStatus(Table):
    archive = Exported()

    user_id = Integer(primary_key=True, refers="account")
    status_text = Text()
    emoji_name = Text()
    emoji_code = Text()
    reaction_type = Text()

    class Meta:
        table_name = "user_status"


class UserPresence(Table):
    archive = Exported(part=OF_PERSON)

    user_id = Integer(primary_key=True, refers="account")
    active_at = Integer(null=True)
    connected_at = Integer()
    update_id = Integer()

    class Meta:
        table_name = "user_presence"


UserPresence.declare_index("user_presence_update", UserPresence.update_id)


class MutingPeriod(Table):
    """The positions from which, and up to which, one account had muted another."""

    archive = Exported(part=OF_PERSON)

    user_id = Integer(refers="account")
    muted_id = Integer(refers="account")
    start_position = Integer()
    until_position = Integer(null=True)
    muted_at = Integer()

    class Meta:
        table_name = "muting_period"
        primary_key = CompositeKey("user_id", "muted_id", "start_position")
        without_rowid = True


MutingPeriod.declare_index("muting_period_muted", MutingPeriod.muted_id, MutingPeriod.user_id)


class AlertWord(Table):
    archive = Exported(part=OF_PERSON)

    id = Serial()
    user_id = Integer(refers="account")
    word_key = Text(exported=True)
    word = Text()
    first_token = Text(exported=True)

    class Meta:
        table_name = "alert_word"
        constraints = (SQL("UNIQUE (user_id, word_key)"),)


AlertWord.declare_index("alert_word_token", AlertWord.first_token)


class Draft(Table):
    archive = Exported(part=OF_PERSON)

    id = Serial()
    user_id = Integer(refers="account")
    type = Choice(DraftType)
    to = Json(tuple[int, ...], column_name="recipients")
    topic = Text()
    content = Text()
    timestamp = Integer()

    class Meta:
        table_name = "draft"


Draft.declare_index("draft_user", Draft.user_id, Draft.timestamp, Draft.id)


class OnboardingStep(Table):
    """A step that a person has seen."""

    archive = Exported(part=OF_PERSON)

    user_id = Integer(refers="account")
    name = Text()

    class Meta:
        table_name = "onboarding_step"
        primary_key = CompositeKey("user_id", "name")
        without_rowid = True


class SavedSnippet(Table):
    archive = Exported(part=OF_PERSON)

    id = Serial()
    user_id = Integer(refers="account")
    title = Text()
    content = Text()
    date_created = Integer()

    class Meta:
        table_name = "saved_snippet"


SavedSnippet.declare_index("saved_snippet_user", SavedSnippet.user_id, SavedSnippet.id)


class BotStorage(Table):
    archive = Exported(part=OF_PERSON)

    user_id = Integer(refers="account")
    name = Text()
    value = Text()

    class Meta:
        table_name = "bot_storage"
        primary_key = CompositeKey("user_id", "name")
        without_rowid = True


class Erasure(Table):
    """A person who is being erased, with the name and address still to be found; or one who was erased."""

    archive = Exported(is_of_everything_only=True)

    user_id = Integer(primary_key=True, refers="account")
    deletes_messages = Boolean()
    begun_at = Integer()
    position = Integer()
    step = Choice(Step)
    reached = Integer()
    email = Text()
    full_name = Text()

    class Meta:
        table_name = "erasure"
