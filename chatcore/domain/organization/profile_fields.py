"""Custom profile fields: definitions by the organization, and the values they accept.

`chatcore.application.people.profiles` renders the values of the text fields.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum
from typing import Any

from chatcore.domain.characters import check_characters, check_name, length, visible
from chatcore.domain.errors import BadRequest, invalid_order, invalid_user_id, too_long
from chatcore.domain.ids import FieldId, UserId
from chatcore.domain.web_addresses import parse_web_address


class FieldType(IntEnum):
    """The kinds of fields, as the API numbers them."""

    SHORT_TEXT = 1
    LONG_TEXT = 2
    OPTIONS = 3
    DATE = 4
    LINK = 5
    PERSON = 6
    EXTERNAL_ACCOUNT = 7
    PRONOUNS = 8


RENDERED = frozenset({FieldType.SHORT_TEXT, FieldType.LONG_TEXT})
"""Fields whose values are markup."""
NEVER_IN_SUMMARY = frozenset({FieldType.LONG_TEXT, FieldType.PERSON})
WITH_DATA = frozenset({FieldType.OPTIONS, FieldType.EXTERNAL_ACCOUNT})

MAX_FIELDS = 200
MAX_IN_SUMMARY = 2
MAX_NAME_LENGTH = 40
MAX_HINT_LENGTH = 80
MAX_OPTIONS = 500
MAX_OPTION_LENGTH = 200
MAX_DATA_LENGTH = 250_000
"""Limit for `field_data` of all fields together, because every client reads all of it."""
MAX_LINK_LENGTH = 2000
MAX_PEOPLE = 500
MAX_TEXT_LENGTH: Mapping[FieldType, int] = {
    FieldType.SHORT_TEXT: 50,
    FieldType.LONG_TEXT: 500,
    FieldType.EXTERNAL_ACCOUNT: 50,
    FieldType.PRONOUNS: 50,
}

NAME_PLACE = "%(username)s"
"""The part of a site's URL pattern that stands for the name of an account there."""
CUSTOM_ACCOUNT = "custom"


@dataclass(frozen=True, slots=True)
class ExternalAccount:
    """A site that the server knows, for fields that hold an account's name there."""

    text: str
    name: str
    hint: str
    url_pattern: str


EXTERNAL_ACCOUNTS: Mapping[str, ExternalAccount] = {
    "twitter": ExternalAccount(
        text="Twitter", name="Twitter username", hint="", url_pattern=f"https://twitter.com/{NAME_PLACE}"
    ),
    "github": ExternalAccount(
        text="GitHub", name="GitHub username", hint="", url_pattern=f"https://github.com/{NAME_PLACE}"
    ),
    "mastodon": ExternalAccount(
        text="Mastodon",
        name="Mastodon profile",
        hint="Enter the username with its server, such as ada@example.com",
        url_pattern=f"https://mastodon.social/@{NAME_PLACE}",
    ),
}


OPTIONS_FORM = '{"key": {"text": "What people choose", "order": "1"}}'
ACCOUNT_FORM = f'{{"subtype": "{CUSTOM_ACCOUNT}", "url_pattern": "https://example.com/{NAME_PLACE}"}}'
FIELD_DATA_EXPLAINED = (
    f"Of options (3), the choices: `{OPTIONS_FORM}`; a value is the key of one. Of an external account (7),"
    f" the site: a known `subtype` ({', '.join(EXTERNAL_ACCOUNTS)}), or one of your own, `{ACCOUNT_FORM}`,"
    f" where `{NAME_PLACE}` stands for the value. Other kinds need none."
)
"""Description of `field_data` in the API's documentation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileField:
    """A field as the organization defined it; `order` is its place among the others."""

    id: FieldId
    type: FieldType
    name: str
    hint: str = ""
    order: int = 0
    field_data: Mapping[str, Any] = field(default_factory=dict)
    display_in_profile_summary: bool = False
    required: bool = False
    editable_by_user: bool = True


@dataclass(frozen=True, slots=True)
class ProfileValue:
    """A user's value of a field, with its HTML if the field is rendered."""

    value: str
    rendered_value: str | None = None


# -- definitions ------------------------------------------------------------------------------------


def field_type(number: int) -> FieldType:
    """Return the kind of field with this number.

    :raises BadRequest: no kind of field has this number
    """
    try:
        return FieldType(number)
    except ValueError:
        raise BadRequest("Invalid field type.") from None


def known_account(kind: FieldType, field_data: Mapping[str, Any]) -> ExternalAccount | None:
    """Return the known site of an external-account field, if any."""
    if kind != FieldType.EXTERNAL_ACCOUNT:
        return None
    return EXTERNAL_ACCOUNTS.get(str(field_data.get("subtype")))


def read_field_data(kind: FieldType, raw: object) -> dict[str, Any]:
    """Check the `field_data` of a definition; kinds that need none get an empty object.

    :raises BadRequest: not what this kind of field needs
    """
    if kind not in WITH_DATA:
        return {}
    if not isinstance(raw, dict):
        form = OPTIONS_FORM if kind == FieldType.OPTIONS else ACCOUNT_FORM
        raise BadRequest(f"field_data of this kind of field has to be an object such as {form}")
    return _read_options(raw) if kind == FieldType.OPTIONS else _read_account(raw)


def _read_options(raw: Mapping[str, Any]) -> dict[str, Any]:
    if not raw:
        raise BadRequest("Field must have at least one choice.")
    if len(raw) > MAX_OPTIONS:
        raise BadRequest(f"Field must have at most {MAX_OPTIONS} choices.")
    options: dict[str, Any] = {}
    for key, option in raw.items():
        if not isinstance(option, dict):
            raise BadRequest(f"A choice in field_data has to be an object, as in {OPTIONS_FORM}")
        parts = {name: _option_part(option, name) for name in ("text", "order")}
        if not key.strip() or len(key) > MAX_OPTION_LENGTH:
            raise BadRequest(f"The key of a choice has 1 to {MAX_OPTION_LENGTH} characters.")
        check_characters(key, "choice")
        options[key.strip()] = parts
    if len({option["text"] for option in options.values()}) < len(raw):
        raise BadRequest("Field must not have duplicate choices.")
    return options


def _option_part(option: Mapping[str, Any], name: str) -> str:
    part = option.get(name)
    if not isinstance(part, str) or not visible(part):
        raise BadRequest(f"field_data['{name}'] is not a string that is not blank")
    if len(part) > MAX_OPTION_LENGTH:
        raise too_long(f"field_data['{name}']", MAX_OPTION_LENGTH)
    check_name(part, name)
    return part.strip()


def _read_account(raw: Mapping[str, Any]) -> dict[str, Any]:
    subtype = raw.get("subtype")
    if isinstance(subtype, str) and subtype in EXTERNAL_ACCOUNTS:
        return {"subtype": subtype}
    if subtype != CUSTOM_ACCOUNT:
        raise BadRequest("Invalid external account type")
    pattern = raw.get("url_pattern")
    if not isinstance(pattern, str):
        raise BadRequest("Custom external account must define URL pattern")
    if pattern.count(NAME_PLACE) != 1:
        raise BadRequest(f"URL pattern must contain '{NAME_PLACE}' exactly once.")
    _require_web_address(pattern.replace(NAME_PLACE, "username"), "url_pattern")
    return {"subtype": CUSTOM_ACCOUNT, "url_pattern": pattern}


def checked_name(raw: str) -> str:
    """Check the name of a field and return it stripped.

    :raises BadRequest: blank, too long, or with forbidden characters
    """
    name = raw.strip()
    if length(name) > MAX_NAME_LENGTH:
        raise too_long("name", MAX_NAME_LENGTH)
    if not visible(name):
        raise BadRequest("Label cannot be blank.")
    check_name(name, "name")
    return name


def checked_hint(raw: str) -> str:
    """Check the hint of a field and return it stripped.

    :raises BadRequest: too long, or with forbidden characters
    """
    hint = raw.strip()
    if len(hint) > MAX_HINT_LENGTH:
        raise too_long("hint", MAX_HINT_LENGTH)
    check_characters(hint, "hint")
    return hint


def require_fits_in(definition: ProfileField, others: Collection[ProfileField]) -> None:
    """Refuse a definition that conflicts with the others.

    :raises BadRequest: a name or known site of another field, too many fields, too much data, or not allowed
        in the profile summary
    """
    if len(others) >= MAX_FIELDS:
        raise BadRequest(f"You cannot have more than {MAX_FIELDS} custom profile fields.")
    if sum(len(data_text(each)) for each in (definition, *others)) > MAX_DATA_LENGTH:
        raise too_long("All field_data together", MAX_DATA_LENGTH)
    if definition.display_in_profile_summary:
        if definition.type in NEVER_IN_SUMMARY:
            raise BadRequest("Field type not supported for display in profile summary.")
        if sum(other.display_in_profile_summary for other in others) >= MAX_IN_SUMMARY:
            raise BadRequest(
                f"Only {MAX_IN_SUMMARY} custom profile fields can be displayed in the profile summary."
            )
    if any(other.name == definition.name for other in others):
        raise BadRequest("A field with that label already exists.")
    account = known_account(definition.type, definition.field_data)
    if account is not None and any(
        known_account(other.type, other.field_data) == account for other in others
    ):
        raise BadRequest("There is a field for this external account already.")


def find(fields: Collection[ProfileField], field_id: int) -> ProfileField:
    """Return the field with this id.

    :raises BadRequest: there is none with this id
    """
    for definition in fields:
        if definition.id == field_id:
            return definition
    raise BadRequest(f"Field id {field_id} not found.")


def order_fields(fields: Collection[ProfileField], order: Sequence[int]) -> list[FieldId]:
    """Return all fields in the given order, ignoring duplicate and unknown ids.

    :raises BadRequest: a field is missing from the order
    """
    ids = {definition.id for definition in fields}
    ordered = [FieldId(number) for number in dict.fromkeys(order) if number in ids]
    if len(ordered) < len(ids):
        raise invalid_order()
    return ordered


def data_text(definition: ProfileField) -> str:
    """Return `field_data` as clients read it: JSON as text, empty if the kind of field needs none."""
    return json.dumps(definition.field_data, ensure_ascii=False) if definition.field_data else ""


# -- values -----------------------------------------------------------------------------------------

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WITHOUT_BREAKS = str.maketrans("", "", "\n\r\t")


def read_value(definition: ProfileField, raw: object) -> str | list[UserId] | None:
    """Return a value sent by a client: text, the ids of users, who may not exist, or None to clear the field.

    :raises BadRequest: not what the field accepts
    """
    if raw is None or raw in ("", []):
        return None
    if definition.type == FieldType.PERSON:
        return _read_user_ids(definition, raw)
    if not isinstance(raw, str):
        raise BadRequest(f"{definition.name} is not a string")
    text = raw.strip()
    if not text:
        return None
    match definition.type:
        case FieldType.OPTIONS:
            if text not in definition.field_data:
                raise BadRequest(f"'{text[:50]}' is not a valid choice for '{definition.name}'.")
        case FieldType.DATE:
            _require_date(definition, text)
        case FieldType.LINK:
            _require_web_address(text, definition.name)
        case _:
            limit = MAX_TEXT_LENGTH[definition.type]
            if len(text) > limit:
                raise too_long(definition.name, limit)
            is_long = definition.type == FieldType.LONG_TEXT
            check_characters(text.translate(_WITHOUT_BREAKS) if is_long else text, definition.name)
    return text


def _read_user_ids(definition: ProfileField, raw: object) -> list[UserId] | None:
    """Return the ids of a list, each once; None if it is empty. The list may also be JSON in a text.

    :raises BadRequest: not a list, too many users, or a number that no user can have
    """
    if isinstance(raw, str):
        try:
            raw = json.loads(raw)
        except (ValueError, RecursionError):
            raw = None
    if not isinstance(raw, list):
        raise BadRequest(f"{definition.name} is not a list")
    if len(raw) > MAX_PEOPLE:
        raise BadRequest(f"{definition.name} is too long (limit: {MAX_PEOPLE} people)")
    for number in raw:
        if type(number) is not int or not 0 < number < 2**53:
            raise invalid_user_id(str(number)[:50])
    return [UserId(number) for number in dict.fromkeys(raw)] or None


def people_text(user_ids: Sequence[UserId]) -> str:
    """Return the users of a field as they are stored and read."""
    return json.dumps(list(user_ids), separators=(",", ":"))


def _require_date(definition: ProfileField, text: str) -> None:
    if _DATE.fullmatch(text):  # `fromisoformat` accepts other forms, too
        with suppress(ValueError):
            date.fromisoformat(text)
            return
    raise BadRequest(f"{definition.name} is not a date")


def _require_web_address(text: str, what: str) -> None:
    """Check a web address.

    :raises BadRequest: not an absolute http or https address without white space and credentials
    """
    parts = parse_web_address(text)
    if parts is None or "@" in parts.netloc or len(text) > MAX_LINK_LENGTH or "\\" in text:
        raise BadRequest(f"{what} is not a URL")
    check_characters(text, what)
