"""Arguments of the methods of `Chat`: their types, and functions that read them.

A program may pass one value in place of several, a name in place of a member of an enumeration, or a mapping
in place of a value with fields. A reader takes one argument by its name, ``number(channel_id=channel_id)``,
and refuses invalid values, naming this argument, before anything is done.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from inspect import signature
from typing import Any, TypeAlias, TypeVar, cast

import msgspec
from msgspec import UnsetType

from chatcore.application.channels.subscription_plans import WantedChannel
from chatcore.application.channels.subscription_settings import SubscriptionChange
from chatcore.application.people.profiles import Entry as ProfileEntry
from chatcore.application.visibility.group_settings import SettingChange
from chatcore.domain.errors import InvalidParameter
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import MAX_INTEGER
from chatcore.domain.messages.drafts import DraftContent, DraftType
from chatcore.domain.messages.widgets import Widget
from chatcore.domain.organization.pictures import PictureKind
from chatcore.domain.organization.profile_fields import FieldType
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events.queue import Capabilities

E = TypeVar("E", bound=Enum)
T = TypeVar("T")

Reader: TypeAlias = Callable[[str, Any], object]
"""A function that reads a value; it receives the name of the parameter or field, for errors."""

Person: TypeAlias = int | str | Actor
"""A user by id or address, or an actor."""
People: TypeAlias = Person | Sequence[int] | Sequence[str] | Sequence[Person]
UserIds: TypeAlias = int | Actor | Sequence[int | Actor]
Numbers: TypeAlias = int | Iterable[int]
Names: TypeAlias = str | Iterable[str]
Pieces: TypeAlias = bytes | Iterable[bytes]
"""A file, whole or in pieces."""
Setting: TypeAlias = GroupSetting | Actor | SystemGroup | str | int
"""The holders of a permission: a value, one user, a system group by its name, or a group by its id."""
Draft: TypeAlias = DraftContent | Mapping[str, object]
DraftsGiven: TypeAlias = Draft | Sequence[Draft]
_WantedChannel: TypeAlias = WantedChannel | Mapping[str, object] | str
WantedChannels: TypeAlias = _WantedChannel | Sequence[_WantedChannel]
_SubscriptionChange: TypeAlias = SubscriptionChange | Mapping[str, object]
SubscriptionChanges: TypeAlias = _SubscriptionChange | Sequence[_SubscriptionChange]
_ProfileEntry: TypeAlias = ProfileEntry | Mapping[str, object]
ProfileEntries: TypeAlias = _ProfileEntry | Sequence[_ProfileEntry]

BYTES = (bytes, bytearray, memoryview)
WHOLE = (str, *BYTES, Mapping)
"""Types that count as a single argument, although they can be iterated over."""


# -- one value ----------------------------------------------------------------------------------------


def optional(read: Callable[..., T], **argument: object) -> T | None:
    """Read an argument, unless it is None or UNSET."""
    _, value = _name_and_value(argument)
    return cast(None, value) if value is None or isinstance(value, UnsetType) else read(**argument)


def number(**argument: int) -> int:
    return _integer(*_name_and_value(argument))


def text(**argument: str) -> str:
    return _text(*_name_and_value(argument))


def number_or_text(**argument: int | str) -> int | str:
    name, value = _name_and_value(argument)
    return _text(name, value) if isinstance(value, str) else _integer(name, value, "a text or an integer")


def truth(**argument: bool) -> bool:
    return _truth(*_name_and_value(argument))


def an_actor(**argument: Actor) -> Actor:
    name, value = _name_and_value(argument)
    if not isinstance(value, Actor):
        raise InvalidParameter(name, "Expected what chat.users.actor gives for an address")
    return value


def a_person(**argument: Person) -> int | str:
    return _person(*_name_and_value(argument))


def user_id_of(**argument: int | Actor) -> int:
    return _user_id(*_name_and_value(argument))


def a_role(**argument: Role | str | int) -> Role:
    return _member(Role, *_name_and_value(argument))


def a_policy(**argument: VisibilityPolicy | str | int) -> VisibilityPolicy:
    return _member(VisibilityPolicy, *_name_and_value(argument))


def a_field_type(**argument: FieldType | str | int) -> FieldType:
    return _member(FieldType, *_name_and_value(argument))


def a_picture_kind(**argument: PictureKind | str) -> PictureKind:
    return _member(PictureKind, *_name_and_value(argument))


def a_draft(**argument: Draft) -> DraftContent:
    return _draft(*_name_and_value(argument))


def a_widget(**argument: Widget | Mapping[str, object]) -> Widget:
    return _make_value(Widget, *_name_and_value(argument), type=_text)


def capabilities_of(**argument: Capabilities | Mapping[str, object]) -> Capabilities:
    readers = {field.name: _truth for field in msgspec.structs.fields(Capabilities)}
    return _make_value(Capabilities, *_name_and_value(argument), **readers)


# -- several values -----------------------------------------------------------------------------------


def numbers(**argument: Numbers) -> Sequence[int]:
    return _each(_integer, *_name_and_value(argument))


def all_names(**argument: Names | Iterable[Names]) -> Sequence[str]:
    """Read one name, several, or lists of them."""
    name, value = _name_and_value(argument)
    return [_text(name, each) for names in _several(value) for each in _several(names)]


def all_people(**argument: People) -> Sequence[Any]:
    """Read ids and addresses."""
    return _each(_person, *_name_and_value(argument))


def user_ids_of(**argument: UserIds) -> Sequence[int]:
    return _each(_user_id, *_name_and_value(argument))


def all_pieces(**argument: Pieces) -> Iterator[bytes]:
    name, value = _name_and_value(argument)
    for piece in _several(value):
        if not isinstance(piece, BYTES):
            raise InvalidParameter(name, "Expected bytes, or pieces of bytes")
        yield bytes(piece)


def all_drafts(**argument: DraftsGiven) -> Sequence[DraftContent]:
    return _each(_draft, *_name_and_value(argument))


def all_wanted_channels(**argument: WantedChannels) -> Sequence[WantedChannel]:
    return _each(_wanted_channel, *_name_and_value(argument))


def all_subscription_changes(**argument: SubscriptionChanges) -> Sequence[SubscriptionChange]:
    return _each(_subscription_change, *_name_and_value(argument))


def all_profile_entries(**argument: ProfileEntries) -> Sequence[ProfileEntry]:
    return _each(_profile_entry, *_name_and_value(argument))


# -- values by names ----------------------------------------------------------------------------------


def texts_by_name(**argument: Mapping[str, str]) -> Mapping[str, str]:
    name, given = _name_and_value(argument)
    texts = _mapping(name, given, "texts by names")
    return {_text(name, key): _text(name, value) for key, value in texts.items()}


def values_by_name(**argument: Mapping[str, object]) -> Mapping[str, object]:
    name, value = _name_and_value(argument)
    return _mapping(name, value, "values by names")


def settings_by_name(**argument: Mapping[str, Setting]) -> Mapping[str, GroupSetting]:
    wanted = _mapping(*_name_and_value(argument), "values by the names of permissions")
    return {permission: _group_setting(permission, value) for permission, value in wanted.items()}


def setting_changes_by_name(**argument: Mapping[str, SettingChange | Setting]) -> Mapping[str, SettingChange]:
    wanted = _mapping(*_name_and_value(argument), "values by the names of permissions")
    return {permission: _setting_change(permission, value) for permission, value in wanted.items()}


def require_one_place(channel: object, topic: str, to: object) -> None:
    """Refuse a message to both people and a channel, so that no private text becomes public.

    :raises InvalidParameter: a channel or a topic together with people
    """
    if channel is not None and to is not None:
        raise InvalidParameter("to", "a message goes to a channel or to people, not to both")
    if channel is None and topic:
        raise InvalidParameter("topic", "only what goes to a channel has one")


# -- reading ------------------------------------------------------------------------------------------


def _name_and_value(argument: Mapping[str, object]) -> tuple[str, Any]:
    ((name, value),) = argument.items()
    return name, value


def _several(value: object) -> Iterable[Any]:
    return value if isinstance(value, Iterable) and not isinstance(value, WHOLE) else [value]


def _each(read: Callable[[str, Any], T], name: str, value: object) -> Sequence[T]:
    return [read(name, element) for element in _several(value)]


def _integer(name: str, value: object, expected: str = "an integer") -> int:
    if not isinstance(value, int) or isinstance(value, bool):  # a truth value is not a number
        raise InvalidParameter(name, f"Expected {expected}")
    if abs(value) > MAX_INTEGER:
        raise InvalidParameter(name, "The number is too large")
    return value


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidParameter(name, "Expected a text")
    return value


def _truth(name: str, value: object) -> bool:
    if not isinstance(value, bool):  # a text like "no" would be true, too
        raise InvalidParameter(name, "Expected True or False")
    return value


def _person(name: str, value: object) -> int | str:
    if isinstance(value, Actor):
        return value.user_id
    return value if isinstance(value, str) else _integer(name, value, "an id, an address or an actor")


def _user_id(name: str, value: object) -> int:
    return value.user_id if isinstance(value, Actor) else _integer(name, value, "an id or an actor")


def _member(kind: type[E], name: str, value: object) -> E:
    """Return a member of an enumeration, passed as itself, as its value or by its name."""
    for member in kind:
        if value == member.value or (isinstance(value, str) and value.upper() == member.name):
            return member
    raise InvalidParameter(name, f"Expected one of {', '.join(member.name.lower() for member in kind)}")


def _mapping(name: str, value: object, expected: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidParameter(name, f"Expected {expected}")
    return value


def _group_setting(name: str, value: object) -> GroupSetting:
    if isinstance(value, GroupSetting):
        _each(_integer, name, [*_several(value.groups), *_several(value.members)])
        return value
    if isinstance(value, Actor):
        return GroupSetting.of(members=[value.user_id])
    if isinstance(value, str):
        return GroupSetting.of(_member(SystemGroup, name, value))
    return GroupSetting.of(_integer(name, value, "a GroupSetting, an actor, a group's id or a system group"))


def _setting_change(name: str, value: object) -> SettingChange:
    if not isinstance(value, SettingChange):
        return SettingChange(_group_setting(name, value), old=None)
    return SettingChange(
        _group_setting(name, value.new), None if value.old is None else _group_setting(name, value.old)
    )


def _or_none(read: Reader) -> Reader:
    return lambda name, value: None if value is None else read(name, value)


def _as_given(name: str, value: object) -> object:
    return value


def _make_value(kind: type[T], name: str, value: object, /, **readers: Reader) -> T:
    """Return a value with fields, passed as itself or as a mapping; *readers* read its fields."""
    parameters = signature(kind).parameters
    expected = f"Expected {kind.__name__}, or a mapping of its fields: {', '.join(parameters)}"
    if isinstance(value, kind):
        value = {field: getattr(value, field) for field in parameters}
    if not isinstance(value, Mapping):
        raise InvalidParameter(name, expected)
    read = {field: readers.get(field, _as_given)(field, given) for field, given in value.items()}
    try:
        return kind(**read)
    except TypeError as error:  # a field too many or too few
        raise InvalidParameter(name, expected) from error


def _draft(name: str, value: object) -> DraftContent:
    return _make_value(
        DraftContent,
        name,
        value,
        type=lambda field, field_value: _member(DraftType, field, field_value),
        to=lambda field, field_value: _each(_integer, field, field_value),
        topic=_text,
        content=_text,
        timestamp=_or_none(_integer),
    )


def _wanted_channel(name: str, value: object) -> WantedChannel:
    given = {"name": value} if isinstance(value, str) else value
    return _make_value(WantedChannel, name, given, name=_text, description=_text, color=_or_none(_text))


def _subscription_change(name: str, value: object) -> SubscriptionChange:
    return _make_value(SubscriptionChange, name, value, channel_id=_integer, property=_text)


def _profile_entry(name: str, value: object) -> ProfileEntry:
    return _make_value(ProfileEntry, name, value, field_id=_integer)
