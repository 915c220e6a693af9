"""`chatcore.storage.organization.organization`."""

from dataclasses import replace

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import UserId
from chatcore.domain.organization.organization import Organization
from chatcore.storage.conformance.makers import error_of
from chatcore.storage.transaction import Storage


def test_an_empty_store_has_no_organization(storage: Storage) -> None:
    assert storage.read(lambda snapshot: snapshot.organization.find()) is None
    error_of(LookupError, lambda: storage.read(lambda snapshot: snapshot.organization.get()))


def test_an_organization_comes_back_as_it_was_put(storage: Storage) -> None:
    teahouse = Organization(
        name="Teahouse ☕",
        date_created=1,
        permissions={
            "can_create_groups": GroupSetting.of(SystemGroup.OWNERS, members=[UserId(7), UserId(9)])
        },
        message_content_edit_limit_seconds=None,
    )
    storage.write(lambda tx: tx.organization.put(teahouse))
    assert storage.read(lambda snapshot: snapshot.organization.get()) == teahouse


def test_an_organization_is_changed_by_putting_it_again(storage: Storage) -> None:
    teahouse = Organization(name="Teahouse", date_created=1)
    storage.write(lambda tx: tx.organization.put(teahouse))
    renamed = replace(teahouse, name="Coffeehouse")
    storage.write(lambda tx: tx.organization.put(renamed))
    assert storage.read(lambda snapshot: snapshot.organization.get()) == renamed
