"""Addresses in the audit log: only those who may see them now read them over HTTP."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from chatcore.application.organization.audit import read_audit_log
from chatcore.domain.organization.audit import AuditFilter, AuditKind
from chatcore.domain.people.users import EmailVisibility
from tests.worlds.organization import MakeWorld, World


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    world = make_world(mail_folder=tmp_path / "mail")
    world.change_user("olga", can_create_users=True, can_change_user_emails=True)
    return world


def entries(world: World, kind: str) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = world["olga"].get("/audit", kind=kind)["entries"]
    return found


def test_an_address_is_in_the_log_for_those_who_may_see_it_now(world: World) -> None:
    world["olga"].patch(f"/users/{world['bea'].id}", new_email="b@example.org", full_name="Beatrix")
    for visibility, shows in ((4, False), (3, True), (1, True)):
        world.change_user("bea", email_visibility=EmailVisibility(visibility))
        (entry,) = entries(world, "address_changed")
        seen = {"email": "bea@example.org"}, {"email": "b@example.org"}
        assert (entry["before"], entry["after"]) == (seen if shows else ({}, {}))
        (renamed,) = entries(world, "name_changed")
        assert renamed["after"] == {"full_name": "Beatrix"}
    (kept,) = read_audit_log(world.svc, AuditFilter(kind=AuditKind.ADDRESS_CHANGED))
    assert kept.personal["after"] == {"email": "b@example.org"}


def test_a_new_account_that_hides_its_address_hides_it_in_the_log(world: World) -> None:
    world["olga"].post("/users", email="new@example.org", full_name="New", password="correct horse battery")
    world.take_keys()
    world["new"].patch("/settings", email_address_visibility=4)
    (entry,) = entries(world, "account_created")
    assert entry["after"] == {"full_name": "New", "role": 400}


def test_the_address_of_an_invitation_is_in_the_log_as_long_as_it_waits(world: World) -> None:
    world["olga"].post(
        "/invites", invitee_emails="new@example.org", stream_ids=[], invite_expires_in_minutes=60
    )
    (entry,) = entries(world, "invitation_sent")
    assert entry["after"]["email"] == "new@example.org"
    world.clock.advance(3601)
    (entry,) = entries(world, "invitation_sent")
    assert "email" not in entry["after"]
    assert entry["after"]["role"] == 400
