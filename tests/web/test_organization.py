"""The pages of the organization in the web client."""

import re
from base64 import b64decode
from collections.abc import Callable
from typing import Any

from tests.web.conftest import Person

Opens = Callable[..., Person]

PICTURE = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFElEQVR4nGP8z8DwnwEXYMIpM1QkAE7mAg5nJfCCAAAAAElFTkSuQmCC"
)


def row(person: Person, text: str) -> Any:
    return person.page.locator(".rows li", has_text=text)


def part(person: Person, name: str) -> None:
    person.goes_to(f"organization/{name}")
    person.page.locator(f".tabs a[href$='/{name}'][aria-current=page]").wait_for()


def test_settings_and_permissions_hold_for_others_at_once(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    part(ada, "profile")
    part(bea, "profile")
    before = ada.page.get_by_label("Name", exact=True).input_value()
    facts = bea.page.locator(".facts div", has_text="Name")
    assert facts.locator("dd").inner_text() == before
    for name in ("The Greenhouse", before):
        ada.page.get_by_label("Name", exact=True).fill(name)
        ada.page.get_by_role("button", name="Save").click()
        bea.page.wait_for_function("(name) => document.title.endsWith(name)", arg=name)
    assert bea.page.locator(".subpage").get_by_role("textbox").count() == 0

    part(ada, "settings")
    part(bea, "settings")
    assert bea.page.get_by_label("Require unique names").is_disabled()
    ada.page.get_by_role("switch", name="Require unique names").check()
    ada.page.locator(".notice", has_text="Saved").wait_for()
    bea.page.locator(".check:has(:checked)", has_text="Require unique names").wait_for()
    ada.page.get_by_label("Time limit for editing").select_option(label="1 hour")
    limit = bea.page.locator(".field", has_text="Time limit for editing")
    limit.locator("option:checked", has_text="1 hour").wait_for(state="attached")
    kept = bea.page.locator(".field", has_text="Delete messages permanently")
    for days in ("30 days", "Never"):
        ada.page.get_by_label("Delete messages permanently").select_option(label=days)
        kept.locator("option:checked", has_text=days).wait_for(state="attached")
    ada.page.get_by_label("Storage for all files").fill("500")
    ada.page.keyboard.press("Tab")
    bea.page.wait_for_function(
        "() => [...document.querySelectorAll('input')].some((one) => one.value === '500')"
    )
    ada.page.get_by_label("Storage for all files").fill("")
    ada.page.keyboard.press("Tab")
    ada.page.get_by_label("Require unique names").uncheck()
    bea.page.locator(".check:has(:checked)", has_text="Require unique names").wait_for(state="detached")

    part(ada, "permissions")
    bea.goes_to("groups")
    bea.page.get_by_role("link", name="New group").wait_for()
    ada.page.get_by_label("Create groups").select_option(label="Owners")
    bea.page.get_by_role("link", name="New group").wait_for(state="detached")
    ada.page.get_by_label("Create groups").select_option(label="Members")
    bea.page.get_by_role("link", name="New group").wait_for()


def test_calls_begin_at_the_server_that_the_organization_names(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    bea.goes_to_topic("greetings")
    bea.page.get_by_label("Message", exact=True).wait_for()
    assert bea.page.get_by_role("button", name="Start call").count() == 0
    part(ada, "settings")
    ada.page.get_by_label("Call provider").select_option(label="Jitsi Meet")
    ada.page.get_by_label("Address of the Jitsi server").fill("https://meet.example.com")
    ada.page.keyboard.press("Tab")
    bea.page.get_by_role("button", name="Start call").click()
    bea.page.keyboard.press("Enter")
    link = bea.sees("Join call").get_by_role("link", name="Join call")
    assert re.fullmatch(r"https://meet\.example\.com/[0-9-]{20,}", link.get_attribute("href"))
    ada.page.get_by_label("Call provider").select_option(label="No calls")
    bea.page.get_by_role("button", name="Start call").wait_for(state="detached")


def test_guests_are_marked_and_warned_of(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    me = bea.calls("GET", "users/me")["user_id"]
    ada.calls("PATCH", f"users/{me}", role=600)
    ada.goes_to(f"narrow/dm/{me}-dm")
    ada.page.get_by_text("Guests: Bea Lynn").wait_for()
    bea.goes_to_topic("greetings")
    bea.says("only a guest")
    ada.goes_to_topic("greetings")
    ada.sees("only a guest").get_by_text("Guest", exact=True).wait_for()
    part(ada, "settings")
    for name in ("Mark guests", "Warn before writing to guests"):
        with ada.page.expect_response("**/realm"):
            ada.page.get_by_label(name).uncheck()
    ada.goes_to_topic("greetings")
    assert ada.sees("only a guest").get_by_text("Guest", exact=True).count() == 0
    ada.goes_to(f"narrow/dm/{me}-dm")
    ada.page.get_by_label("Message", exact=True).wait_for()
    assert ada.page.get_by_text("Guests: Bea Lynn").count() == 0


def test_a_choice_holds_until_it_is_saved_or_refused(somebody: Opens) -> None:
    ada = somebody("ada")
    part(ada, "settings")
    held: list[Any] = []
    ada.page.route("**/api/v1/realm", lambda change: held.append(change), times=1)
    box = ada.page.get_by_label("Require unique names")
    box.check()
    ada.calls("PATCH", "realm", upload_quota_mib=700)
    ada.page.wait_for_function(
        "() => [...document.querySelectorAll('input')].some((one) => one.value === '700')"
    )
    assert box.is_checked()
    held.pop().fulfill(
        status=400, json={"result": "error", "msg": "Some names are not unique", "code": "BAD_REQUEST"}
    )
    ada.page.get_by_text("Some names are not unique").wait_for()
    ada.page.locator(".check:has(:checked)", has_text="Require unique names").wait_for(state="detached")
    ada.calls("PATCH", "realm", upload_quota_mib="unlimited")


def test_an_administrator_keeps_what_belongs_to_the_organization(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    part(ada, "emoji")
    part(bea, "emoji")
    ada.page.get_by_label("Emoji name").fill("carrot_cake")
    ada.page.get_by_label("Picture").set_input_files(
        {"name": "cake.png", "mimeType": "image/png", "buffer": PICTURE}
    )
    ada.page.get_by_role("button", name="Add", exact=True).click()
    row(bea, ":carrot_cake:").locator("img").wait_for()
    row(ada, ":carrot_cake:").get_by_role("button", name="Deactivate").click()
    ada.agrees("Deactivate")
    row(bea, ":carrot_cake:").wait_for(state="detached")

    part(ada, "linkifiers")
    part(bea, "linkifiers")
    for letter in "TB":
        ada.page.get_by_role("button", name="Add", exact=True).click()
        ada.page.get_by_label("Pattern").fill("(")
        ada.page.get_by_label("Address").fill("https://tracker.example/")
        ada.page.get_by_role("button", name="Save").click()
        ada.page.get_by_role("alert").wait_for()
        ada.page.get_by_label("Pattern").fill(f"{letter}(?P<number>[0-9]+)")
        ada.page.get_by_label("Address").fill(f"https://tracker.example/{letter}/{{number}}")
        ada.page.get_by_role("button", name="Save").click()
        row(bea, f"{letter}(").wait_for()
    ada.page.get_by_label("↑: B(").click()
    bea.page.locator(".rows li:first-child", has_text="B(").wait_for()
    for letter in "TB":
        row(ada, f"{letter}(").get_by_role("button", name="Remove").click()
        ada.agrees("Remove")
        row(bea, f"{letter}(").wait_for(state="detached")
    assert bea.page.get_by_role("button", name="Add", exact=True).count() == 0

    ada.goes_to("channels")
    ada.page.locator(".rows").get_by_role("link", name="general").click()
    for is_default in (False, True):
        box = ada.page.get_by_label("Default channel for new people")
        with ada.page.expect_response("**/default_streams*") as changed:
            box.set_checked(is_default)
        assert changed.value.ok


def test_an_administrator_invites_people_and_changes_accounts(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    part(ada, "invitations")
    ada.page.get_by_label("Kind").select_option(label="By e-mail")
    ada.page.get_by_label("E-mail addresses").fill("cid@example.com")
    ada.page.get_by_role("button", name="Invite", exact=True).click()
    invitation = row(ada, "cid@example.com")
    invitation.get_by_role("button", name="Send again").click()
    ada.page.get_by_text("Saved").last.wait_for()
    invitation.get_by_role("button", name="Revoke").click()
    ada.agrees("Revoke")
    invitation.wait_for(state="detached")
    ada.page.get_by_label("Kind").select_option(label="Reusable link")
    ada.page.get_by_role("button", name="Create link").click()
    invitation = row(ada, "/join/")
    bea.page.goto(invitation.locator("a").get_attribute("href"))
    bea.page.get_by_role("heading", name="Join").wait_for()
    invitation.get_by_role("button", name="Revoke").click()
    ada.agrees("Revoke")
    invitation.wait_for(state="detached")

    part(bea, "profile")
    ada.goes_to("people")
    row(ada, "Bea Lynn").get_by_role("link").click()
    ada.page.get_by_label("Role").select_option(label="Administrator")
    bea.page.locator(".subpage").get_by_label("Name", exact=True).wait_for()
    ada.page.get_by_label("Role").select_option(label="Member")
    bea.page.locator(".subpage").get_by_label("Name", exact=True).wait_for(state="detached")
    ada.page.get_by_role("button", name="Deactivate").click()
    ada.agrees("Deactivate")
    bea.page.get_by_label("Password").wait_for()
    ada.page.get_by_role("button", name="Reactivate").click()
    ada.page.get_by_role("button", name="Deactivate").wait_for()
    bea.comes("bea")


def test_administrators_see_who_changed_what(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    ada.calls("PATCH", "realm", invite_required=False)
    ada.calls("PATCH", "settings", full_name="Ada Wolf")
    part(ada, "audit")
    change = row(ada, "invite required")
    change.get_by_text("Settings changed").wait_for()
    assert change.locator("del").inner_text() == "true"
    assert change.locator("ins").inner_text() == "false"
    row(ada, "Name changed").locator("ins", has_text="Ada Wolf").wait_for()
    ada.page.get_by_label("About").select_option(label="Person")
    change.wait_for(state="detached")
    row(ada, "Name changed").wait_for()

    bea.goes_to("organization/audit")
    bea.page.locator(".tabs a[href$='/profile'][aria-current=page]").wait_for()
    assert bea.page.locator(".tabs a[href$='/audit']").count() == 0


def test_older_entries_are_shown_when_they_are_asked_for(somebody: Opens) -> None:
    ada = somebody("ada")
    for number in range(52):
        ada.calls("PATCH", "realm", name=f"Name {number}")
    part(ada, "audit")
    row(ada, "Name 51").first.wait_for()
    assert ada.page.locator(".rows li").count() == 50
    ada.page.get_by_role("button", name="Older entries").click()
    ada.page.locator(".rows li").nth(51).wait_for()
