"""What a program may give for what a use case takes: one where there may be several, a name for a number,
keywords for a value. `noun.Noun` reads the arguments of all methods by the tables below.

Whatever cannot be meant is refused here, by the name of the parameter, before anything is done.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial, reduce
from operator import or_
from types import UnionType
from typing import Any, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import UnsetType

from chatcore.application.group_settings import SettingChange
from chatcore.application.profile_data import Entry
from chatcore.application.subscription_plans import Wanted
from chatcore.application.subscription_settings import Change
from chatcore.domain.drafts import DraftContent, DraftType
from chatcore.domain.errors import InvalidParameter
from chatcore.domain.groups import Actor, GroupSetting, SystemGroup
from chatcore.domain.ids import MAX_INTEGER
from chatcore.domain.profile_fields import FieldType
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy
from chatcore.domain.widgets import Widget
from chatcore.events.queue import Capabilities

E = TypeVar("E", bound=Enum)
T = TypeVar("T")

Person: TypeAlias = int | str | Actor
"""An id, an address, or who acts."""
People: TypeAlias = Person | Sequence[int] | Sequence[str] | Sequence[Person]
Names: TypeAlias = str | Sequence[str]
Pieces: TypeAlias = bytes | Iterable[bytes]

Kind: TypeAlias = type | tuple[type, ...]
Reader: TypeAlias = Callable[[str, Any], Any]
"""Reads what was given for the parameter of a name."""

NOTHING = (type(None), UnsetType)
BYTES = (bytes, bytearray, memoryview)
WHOLE = (str, *BYTES, Mapping)
"""What is one, though it can be gone through."""


def reader_of(name: str, hint: object) -> Reader | None:
    """How a parameter with this name and type is read; None leaves it as it is."""
    members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    some = reduce(or_, [one for one in members if one not in NOTHING])
    read = BY_NAME.get(name) or BY_TYPE.get(some)
    if read is None or len(members) == 1:
        return read
    return partial(_unless_nothing, read)


def _unless_nothing(read: Reader, name: str, given: object) -> object:
    return given if type(given) in NOTHING else read(name, given)


def _several(given: object) -> Iterable[Any]:
    return given if isinstance(given, Iterable) and not isinstance(given, WHOLE) else [given]


def _each(read: Reader, name: str, given: object) -> list[Any]:
    return [read(name, one) for one in _several(given)]


def _of(kind: Kind, what: str, name: str, given: object) -> Any:
    """A value of the kind, and nothing else; a truth value is no number."""
    if not isinstance(given, kind) or isinstance(given, bool):
        raise InvalidParameter(name, f"Expected {what}")
    if isinstance(given, int) and abs(given) > MAX_INTEGER:
        raise InvalidParameter(name, "The number is too large")
    return given


_actor = partial(_of, Actor, "what chat.users.actor gives for an address")
_text = partial(_of, str, "a text")
_number = partial(_of, int, "an integer")
_text_or_number = partial(_of, (int, str), "a text or an integer")


def _truth(name: str, given: object) -> object:
    if not isinstance(given, bool):  # a text like "no" would be as true as any
        raise InvalidParameter(name, "Expected True or False")
    return given


def _person(name: str, given: object) -> Any:
    if isinstance(given, Actor):
        return given.user_id
    return _of((int, str), "an id, an address or an actor", name, given)


def _user_id(name: str, given: object) -> Any:
    return given.user_id if isinstance(given, Actor) else _of(int, "an id or an actor", name, given)


def all_names(name: str, given: object) -> list[str]:
    """One, several, or lists of them."""
    return [_text(name, one) for some in _several(given) for one in _several(some)]


def _word(kind: type[E], name: str, given: object) -> E:
    """A member of an enumeration: itself, its value or its name."""
    for member in kind:
        if given == member.value or (isinstance(given, str) and given.upper() == member.name):
            return member
    raise InvalidParameter(name, f"Expected one of {', '.join(member.name.lower() for member in kind)}")


def all_pieces(name: str, given: object) -> Iterator[bytes]:
    """A file, whole or in pieces."""
    for piece in _several(given):
        yield _of(BYTES, "bytes, or pieces of bytes", name, piece)


def _setting(name: str, given: object) -> GroupSetting:
    """Who has a permission: a value, a group by its id, a system group by its name, or one person."""
    if isinstance(given, GroupSetting):
        _each(_number, name, [*_several(given.groups), *_several(given.members)])
        return given
    if isinstance(given, Actor):
        return GroupSetting.of(members=[given.user_id])
    if isinstance(given, str):
        return GroupSetting.of(_word(SystemGroup, name, given))
    return GroupSetting.of(_of(int, "a GroupSetting, an actor, a group's id or a system group", name, given))


def _setting_change(name: str, given: object) -> SettingChange:
    if not isinstance(given, SettingChange):
        return SettingChange(_setting(name, given), old=None)
    old = None if given.old is None else _setting(name, given.old)
    return SettingChange(_setting(name, given.new), old)


def _by_permission(read: Reader, name: str, given: object) -> Mapping[str, Any]:
    wanted = _of(Mapping, "values by the names of permissions", name, given)
    return {permission: read(permission, value) for permission, value in wanted.items()}


def _made(kind: type[T], name: str, given: object) -> T:
    """A value with fields, or a mapping of those; the fields are read in either."""
    hints = get_type_hints(kind)
    readers = {field: read for field, hint in hints.items() if (read := reader_of(field, hint)) is not None}
    what = f"{kind.__name__}, or a mapping of its fields: {', '.join(hints)}"
    if isinstance(given, kind):
        given = {field: getattr(given, field) for field in hints}
    values = {**_of(Mapping, what, name, given)}
    for field in values.keys() & readers.keys():
        values[field] = readers[field](field, values[field])
    try:
        return kind(**values)
    except TypeError as error:  # a field too many or too few
        raise InvalidParameter(name, f"Expected {what}") from error


def all_people(name: str, given: object) -> list[Any]:
    """One or several, by ids or addresses."""
    return _each(_person, name, given)


def require_one_place(channel: object, topic: str, to: object) -> None:
    """What was meant for somebody must not become public.

    :raises InvalidParameter: a channel or a topic together with people
    """
    if channel is not None and to is not None:
        raise InvalidParameter("to", "a message goes to a channel or to people, not to both")
    if channel is None and topic:
        raise InvalidParameter("topic", "only what goes to a channel has one")


def _texts_by_names(name: str, given: object) -> Mapping[str, str]:
    wanted = _of(Mapping, "texts by names", name, given)
    return {_text(name, key): _text(name, value) for key, value in wanted.items()}


def _wanted(name: str, given: object) -> Wanted:
    return _made(Wanted, name, {"name": given} if isinstance(given, str) else given)


_user_ids = partial(_each, _user_id)

BY_NAME: Mapping[str, Reader] = {
    "role": partial(_word, Role),
    "policy": partial(_word, VisibilityPolicy),
    "field_type": partial(_word, FieldType),
    "user_id": _user_id,
    "bot_id": _user_id,
    "target": _person,
    "members": _user_ids,
    "user_ids": _user_ids,
}
"""Parameters whose names say more than their types."""

BY_TYPE: Mapping[Any, Reader] = {
    Actor: _actor,
    str: _text,
    int: _number,
    bool: _truth,
    int | str: _text_or_number,
    Sequence[str]: all_names,
    Collection[str]: all_names,
    Sequence[int]: partial(_each, _number),
    Collection[int]: partial(_each, _number),
    Iterable[bytes]: all_pieces,
    DraftType: partial(_word, DraftType),
    DraftContent: partial(_made, DraftContent),
    Sequence[DraftContent]: partial(_each, partial(_made, DraftContent)),
    Sequence[Change]: partial(_each, partial(_made, Change)),
    Sequence[Entry]: partial(_each, partial(_made, Entry)),
    Sequence[Wanted]: partial(_each, _wanted),
    Capabilities: partial(_made, Capabilities),
    Widget: partial(_made, Widget),
    Mapping[str, str]: _texts_by_names,
    Mapping[str, object]: partial(_of, Mapping, "values by names"),
    Mapping[str, GroupSetting]: partial(_by_permission, _setting),
    Mapping[str, SettingChange]: partial(_by_permission, _setting_change),
}
