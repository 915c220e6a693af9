"""`chatcore.storage.channels.navigation_views`."""

from chatcore.domain.channels.navigation_views import NavigationView
from chatcore.storage.conformance.makers import a_town
from chatcore.storage.transaction import Storage, Transaction

INBOX = NavigationView(fragment="inbox", is_pinned=True)
ALERTS = NavigationView(fragment="narrow/is/alerted", is_pinned=False, name="Alerts ä")


def test_views_belong_to_one_account(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        for view in (ALERTS, INBOX):
            tx.navigation_views.put(town.ada, view)
        assert list(tx.navigation_views.of_user(town.ada)) == [INBOX, ALERTS]
        assert list(tx.navigation_views.of_user(town.ben)) == []
        assert not tx.navigation_views.remove(town.ben, "inbox")
        assert tx.navigation_views.remove(town.ada, "inbox")
        assert not tx.navigation_views.remove(town.ada, "inbox")
        assert list(tx.navigation_views.of_user(town.ada)) == [ALERTS]

    storage.write(write)


def test_a_view_is_written_anew(storage: Storage) -> None:
    ada = a_town(storage).ada
    changed = NavigationView(fragment=ALERTS.fragment, is_pinned=True, name="Others")
    for view in (ALERTS, changed):
        storage.write(lambda tx, view=view: tx.navigation_views.put(ada, view))  # type: ignore[misc]
    assert storage.read(lambda snapshot: list(snapshot.navigation_views.of_user(ada))) == [changed]


def test_fragments_are_compared_byte_by_byte(storage: Storage) -> None:
    ada = a_town(storage).ada
    views = [NavigationView(fragment=fragment, is_pinned=True) for fragment in ("B", "a", "a/b", "ab")]

    def write(tx: Transaction) -> None:
        for view in views[::-1]:
            tx.navigation_views.put(ada, view)
        assert list(tx.navigation_views.of_user(ada)) == views
        assert not tx.navigation_views.remove(ada, "A")

    storage.write(write)
