"""Initial state: the configuration by administrators for everybody, and statuses of users."""

from chatcore.application.organization.custom_emoji import custom_emoji_shapes
from chatcore.application.organization.linkifiers import linkifier_objects
from chatcore.application.organization.playgrounds import playground_objects
from chatcore.application.organization.profile_fields import field_objects
from chatcore.application.registration.fetch import Fetch
from chatcore.application.visibility import statuses
from chatcore.domain.organization.profile_fields import FieldType

PROFILE_FIELD_TYPES = {
    FieldType.SHORT_TEXT: ("SHORT_TEXT", "Text (short)"),
    FieldType.LONG_TEXT: ("LONG_TEXT", "Text (long)"),
    FieldType.OPTIONS: ("SELECT", "List of options"),
    FieldType.DATE: ("DATE", "Date"),
    FieldType.LINK: ("URL", "Link"),
    FieldType.PERSON: ("USER", "Users"),
    FieldType.EXTERNAL_ACCOUNT: ("EXTERNAL_ACCOUNT", "External account"),
    FieldType.PRONOUNS: ("PRONOUNS", "Pronouns"),
}


def custom_profile_fields(fetch: Fetch) -> dict[str, object]:
    """`custom_profile_fields`: empty for callers without an account."""
    types = {key: {"id": int(kind), "name": name} for kind, (key, name) in PROFILE_FIELD_TYPES.items()}
    fields = [] if fetch.actor is None else field_objects(fetch.snapshot)
    return {"custom_profile_fields": fields, "custom_profile_field_types": types}


def linkifiers(fetch: Fetch) -> dict[str, object]:
    """`realm_linkifiers`: only for clients with `linkifier_url_template`; others receive an empty list."""
    if not fetch.registration.capabilities.linkifier_url_template:
        return {"realm_linkifiers": []}
    return {"realm_linkifiers": linkifier_objects(fetch.snapshot)}


def filters(fetch: Fetch) -> dict[str, object]:
    """`realm_filters`: the oldest form of linkifiers, always empty since level 176."""
    return {"realm_filters": []}


def playgrounds(fetch: Fetch) -> dict[str, object]:
    return {"realm_playgrounds": playground_objects(fetch.snapshot)}


def custom_emoji(fetch: Fetch) -> dict[str, object]:
    return {"realm_emoji": custom_emoji_shapes(fetch.snapshot)}


def user_status(fetch: Fetch) -> dict[str, object]:
    """`user_status`: the existing statuses of users who are visible to the caller."""
    shown = statuses.shown_statuses(fetch.people, fetch.snapshot.statuses.all())
    return {"user_status": {str(user_id): shown[user_id] for user_id in filter(fetch.is_accessible, shown)}}
