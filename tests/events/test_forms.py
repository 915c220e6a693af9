"""Types of events: one for each kind that clients receive, with the fields that are sent.

Each event that a test receives over HTTP is held against its type by `Line` (`tests/worlds/organization.py`).
"""

from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

import chatcore
from chatcore.events import forms
from chatcore.events.forms import FORMS, Event
from chatcore.events.shapes.channels import ChannelShape, SubscriptionShape
from chatcore.events.shapes.emoji import EmojiShape
from chatcore.events.shapes.groups import GroupShape
from chatcore.events.shapes.messages import (
    DirectPersonShape,
    EditShape,
    MessageShape,
    ReactionShape,
    SubmessageShape,
    TopicLinkShape,
)
from chatcore.events.shapes.users import UserShape
from tests.worlds.clients.events import APPLY

OBJECTS: Mapping[type[Any], type[Any]] = {
    forms.ChannelObject: ChannelShape,
    forms.SubscriptionObject: SubscriptionShape,
    forms.EmojiObject: EmojiShape,
    forms.GroupObject: GroupShape,
    forms.DirectPersonObject: DirectPersonShape,
    forms.EditObject: EditShape,
    forms.MessageObject: MessageShape,
    forms.ReactionObject: ReactionShape,
    forms.SubmessageObject: SubmessageShape,
    forms.TopicLinkObject: TopicLinkShape,
    forms.UserObject: UserShape,
}
"""Types of objects in events, and the classes that are encoded as such objects."""

ABSENT_IN_EVENTS = {"wildcard_mentions_notify"}
"""Fields that events leave out for some clients."""


def test_each_kind_of_event_has_one_type() -> None:
    assert FORMS.keys() == {*APPLY, ("heartbeat", None)}
    assert sum(len([*forms.names_of(form)]) for form in get_args(Event)) == len(FORMS)


@pytest.mark.parametrize(("of_events", "shape"), OBJECTS.items(), ids=lambda kind: kind.__name__)
def test_objects_have_the_fields_that_are_encoded(of_events: Any, shape: type[Any]) -> None:
    fields = msgspec.structs.fields(shape)
    assert get_type_hints(of_events).keys() == {field.name for field in fields}
    required = {field.name for field in fields if field.default is not msgspec.UNSET}
    assert of_events.__required_keys__ == required - ABSENT_IN_EVENTS


def test_types_of_events_can_be_imported_from_the_package() -> None:
    named = [*forms.channels.__all__, *forms.messages.__all__, *forms.organization.__all__]
    assert forms.__all__ == ["Event", *named, *forms.people.__all__]
    assert {form.__name__ for form in get_args(Event)} <= {*forms.__all__}
    assert all(getattr(chatcore, name) is getattr(forms, name) for name in forms.__all__)


def test_other_names_are_not_in_the_package() -> None:
    for name in ("NoSuchEvent", "no_such_function"):
        with pytest.raises(AttributeError):
            getattr(chatcore, name)
