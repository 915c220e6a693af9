"""The types of new and changed rows have the fields of what they are rows of."""

from dataclasses import MISSING, fields
from typing import Any

import pytest

from chatcore.domain.channels.channels import Channel
from chatcore.domain.groups.groups import Group
from chatcore.domain.people.users import User
from chatcore.storage.channels.channels import ChannelFields, NewChannel
from chatcore.storage.people.groups import GroupFields, NewGroup
from chatcore.storage.people.users import NewUser, UserFields


@pytest.mark.parametrize(("whole", "new"), [(User, NewUser), (Channel, NewChannel), (Group, NewGroup)])
def test_a_new_one_has_every_field_but_the_id(whole: Any, new: Any) -> None:
    named = {field.name: field for field in fields(whole) if field.name != "id"}
    required = {name for name, field in named.items() if field.default is field.default_factory is MISSING}
    assert new.__annotations__.keys() == named.keys()
    assert new.__required_keys__ == required


@pytest.mark.parametrize(
    ("whole", "changed", "fixed"),
    [
        (User, UserFields, set()),
        (Channel, ChannelFields, set()),
        (Group, GroupFields, {"creator_id", "date_created"}),
    ],
)
def test_a_change_is_of_any_field(whole: Any, changed: Any, fixed: set[str]) -> None:
    assert changed.__annotations__.keys() == {field.name for field in fields(whole)} - {"id"} - fixed
    assert not changed.__required_keys__
