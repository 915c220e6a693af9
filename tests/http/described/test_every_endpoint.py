"""Every endpoint once: it succeeds with an answer as described, and refuses in the described form.

The application of these tests (`tests.worlds.checked_answers`) holds each answer against our own OpenAPI
document. A new endpoint needs a line in one of the stories.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from werkzeug.test import Client

from chatcore.application.archives.working import write_requested
from chatcore.application.organization.deactivation import reactivate_organization
from chatcore.application.people import accounts, passwords
from chatcore.application.scheduled.delivery import deliver_due
from chatcore.application.sent_mail.unsubscribing import MailList, unsubscribe_link
from chatcore.domain.ids import UserId
from chatcore.domain.people.users import BotType
from chatcore.domain.roles import Role
from chatcore.http.endpoints.sign_on import scim
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, path_template
from chatcore.http.routes import ROUTES
from tests.http.described import missing
from tests.http.files.test_tus import TUS, begins, offset, request, sends
from tests.http.sign_on import login_services, provisioning_service
from tests.http.sign_on.login_services import account_of, browser, toy_provider, visits
from tests.reference import IS_AT_HAND, described
from tests.worlds.browsers import opens_browser, tries
from tests.worlds.described import mismatches
from tests.worlds.files import adds_emoji, fetches, form, part, send_form, shows_picture, uploads
from tests.worlds.groups import fills, makes, patches
from tests.worlds.images import shows_image, thumbnail, thumbnails_wait
from tests.worlds.integrations import send_json
from tests.worlds.mail import link_in, sent
from tests.worlds.organization import FROM, HOST, MakeWorld, World, basic, is_, succeeded
from tests.worlds.pictures import animation, picture
from tests.worlds.tokens import JWT_KEY, token_for
from tests.worlds.web_services import CREATED, Answer, serves

PASSWORD: Final = "correct horse"
PICTURE: Final = Answer(body=picture(), headers={"Content-Type": "image/png"})


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> Iterator[World]:
    """A development server with folders for files and mails."""
    with settings_in(tmp_path) as settings:
        yield make_world(**settings)


@contextmanager
def settings_in(folder: Path) -> Iterator[dict[str, Any]]:
    """The settings of a server on which every endpoint can succeed."""
    with serves() as service, toy_provider() as toy:
        service.answers = lambda request: PICTURE if request.path.endswith(".png") else Answer(body=CREATED)
        toy.claims = {"email": "ivo@example.org"}
        yield {
            "development": True,
            "data_dir": folder / "data",
            "mail_folder": folder / "mail",
            "jwt_key": JWT_KEY,
            "remote_user_header": "Remote-User",
            "remote_user_proxies": (FROM["REMOTE_ADDR"],),
            "bigbluebutton_url": f"{service.url}bigbluebutton",
            "bigbluebutton_secret": "secret",
            "outgoing_private_addresses": True,
            "oidc": (toy.settings(),),
            "scim_token": provisioning_service.TOKEN,
        }


# -- the stories ------------------------------------------------------------------------------------


def a_user_logs_in(world: World) -> None:
    world.change_user("ada", password_hash=passwords.hash_password(PASSWORD))
    world.nobody.get("/server_settings")
    world.nobody.post("/fetch_api_key", username=world["ada"].email, password=PASSWORD)
    world.nobody.post("/dev_fetch_api_key", username=world["bea"].email)
    world.nobody.post("/jwt/fetch_api_key", token=token_for(world["ada"].email), include_profile=True)
    world.nobody.get("/dev_list_users")
    browser = opens_browser(world)
    browser.post("/accounts/dev_login", username=world["bea"].email)
    assert succeeded(tries(browser, "ada", PASSWORD))["email"] == world["ada"].email
    browser.post("/accounts/logout")


def a_user_listens(world: World) -> None:
    bea = world["bea"]
    line = bea.registers()
    world["ada"].says("soup is ready")
    assert line.events("message")
    bea.delete("/events", queue_id=line.id)


def people_talk(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    ada.post("/messages/render", content="*soup*")
    for op in ("start", "stop"):
        ada.post("/typing", op=op, type="channel", stream_id=world.id("lunch"), topic="soup")
        ada.post("/typing", op=op, to=[bea.id])
    message_id = ada.says("soup is ready", topic="soup")
    bea.post(f"/messages/{message_id}/reactions", emoji_name="balloon")
    bea.post(f"/messages/{message_id}/reactions", emoji_name="salad")
    bea.delete(f"/messages/{message_id}/reactions", emoji_name="salad")
    poll = ada.says("/poll Soup?\nyes\nno")
    vote = {"type": "vote", "key": "canned,0", "vote": 1}
    bea.post("/submessage", message_id=poll, msg_type="widget", content=json.dumps(vote))
    ada.writes("for you", "bea")
    assert bea.reads()
    assert bea.message(message_id)["content"] == "<p>soup is ready</p>"
    bea.flagged("starred", message_id)
    world.change_organization(enable_read_receipts=True)
    ada.get(f"/messages/{message_id}/read_receipts")
    assert bea.get("/messages/matches_narrow", msg_ids=[message_id], narrow=[is_("search", "soup")])[
        "messages"
    ]
    narrow = {"narrow": [], "anchor": "newest", "num_before": 10, "num_after": 0}
    bea.post("/messages/flags/narrow", op="add", flag="read", **narrow)
    bea.post("/messages/flags/narrow", op="remove", flag="read", **narrow)
    stream_id = world.id("lunch")
    bea.post("/mark_topic_as_read", stream_id=stream_id, topic_name="soup")
    bea.post("/mark_stream_as_read", stream_id=stream_id)
    bea.post("/mark_all_as_read")
    bea.post("/user_topics", stream_id=stream_id, topic="soup", visibility_policy=3)
    assert bea.get(f"/users/me/{stream_id}/topics")["topics"]


def messages_are_reported(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    message_id = ada.says("soup")
    direct = ada.writes("soup", "bea")
    for number in (message_id, direct):
        for op in ("start", "stop"):
            ada.post(f"/messages/{number}/typing", op=op)
    world.change_organization(moderation_request_channel_id=world.id("secret"))
    bea.post(f"/messages/{message_id}/report", report_type="other", description="cold")
    world.change_organization(moderation_request_channel_id=None)


def messages_are_changed(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    first, second = ada.says("soup", topic="soup"), ada.says("salad", topic="soup")
    direct = ada.writes("for you", "bea")
    ada.patch(f"/messages/{first}", content="**soup** @**Bea**")
    ada.patch(f"/messages/{direct}", content="for you alone")
    ada.patch(f"/messages/{first}", topic="lunch", propagate_mode="change_all")
    ada.patch(f"/messages/{second}", stream_id=world.id("plaza"))
    assert len(bea.get(f"/messages/{first}/history")["message_history"]) == 3
    assert bea.message(first)["edit_history"]
    for message_id in (second, direct):
        ada.delete(f"/messages/{message_id}")


def people_join_and_leave(world: World) -> None:
    cem = world["cem"]
    cem.joins("lunch")
    assert cem.get("/users/me/subscriptions", include_subscribers="true")["subscriptions"]
    assert cem.get("/streams", include_default=True)["streams"]
    cem.get("/get_stream_id", stream="lunch")
    where = {"stream_id": world.id("lunch"), "property": "color", "value": "#abc"}
    cem.post("/users/me/subscriptions/properties", subscription_data=[where])
    cem.patch(f"/users/me/subscriptions/{world.id('lunch')}", property="is_muted", value=True)
    assert cem.id in cem.get(f"/streams/{world.id('lunch')}/members")["subscribers"]
    assert cem.get(f"/users/{cem.id}/subscriptions/{world.id('lunch')}")["is_subscribed"]
    cem.leaves("lunch")
    cem.patch("/users/me/subscriptions", add=[{"name": "lunch"}])
    cem.patch("/users/me/subscriptions", delete=["lunch"])


def a_channel_comes_and_goes(world: World) -> None:
    olga, ada, bea = world["olga"], world["ada"], world["bea"]
    shed = ada.post("/channels/create", name="shed", subscribers=[ada.id, bea.id], description="*tools*")[
        "id"
    ]
    path = f"/streams/{shed}"
    assert bea.get(path)["stream"]["name"] == "shed"
    ada.patch(path, new_name="barn", description="hay", can_send_message_group={"new": 6})
    ada.patch(path, is_private=True)
    ada.patch(path, is_private=False)
    olga.post("/default_streams", stream_id=shed)
    olga.delete("/default_streams", stream_id=shed)
    assert olga.post(f"{path}/delete_topic", topic_name="channel events")["complete"]
    ada.delete(path)
    ada.patch(path, is_archived=False)


def channels_are_in_folders(world: World) -> None:
    olga = world["olga"]
    teams, old = (
        olga.post("/channel_folders/create", name=name)["channel_folder_id"] for name in ("Teams", "Old")
    )
    olga.patch(f"/channel_folders/{old}", name="Older", description="*quiet*", is_archived=True)
    olga.patch("/channel_folders", order=[old, teams])
    olga.patch(f"/streams/{world.id('lunch')}", folder_id=teams)
    assert olga.get("/channel_folders")["channel_folders"]


def people_look_at_each_other(world: World) -> None:
    olga, ada, bea = world["olga"], world["ada"], world["bea"]
    field = olga.post("/realm/profile_fields", field_type=1, name="Motto", display_in_profile_summary=True)
    ada.patch("/users/me/profile_data", data=[{"id": field["id"], "value": "*Soup!*"}])
    ada.post("/users/me/status", status_text="eating", emoji_name="balloon")
    assert bea.get(f"/users/{ada.id}/status")["status"]
    everything = {"include_custom_profile_fields": True}
    assert bea.get("/users", **everything)["members"]
    bea.get(f"/users/{ada.id}", **everything)
    bea.get(f"/users/{ada.email}", **everything)
    olga.post(f"/users/{ada.id}/status", status_text="eating soup")
    ada.post(f"/users/me/muted_users/{bea.id}")
    ada.delete(f"/users/me/muted_users/{bea.id}")
    ada.get("/users/me")
    olga.patch(f"/users/{bea.id}", full_name="Bea B.", role=int(Role.MODERATOR))
    olga.patch(f"/users/{bea.email}", full_name="Bea")
    ada.delete("/users/me/profile_data", data=[field["id"]])


def browsers_get_pushes(world: World) -> None:
    bea = world["bea"]
    keys = {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    }
    made = bea.post("/web_push/subscriptions", endpoint="https://push.example.net/send/1", **keys)
    bea.get("/web_push")
    bea.patch("/users/me/do_not_disturb", daily="22:00-07:00")
    bea.get("/users/me/do_not_disturb")
    bea.delete(f"/web_push/subscriptions/{made['subscription_id']}")


def keys_are_replaced_and_browsers_logged_out(world: World) -> None:
    """The stories of two users who take no part in the others, because their queues end."""
    kim = world.add_user("kim")
    opens_browser(world).post("/accounts/dev_login", username=kim.email)
    (session,) = kim.get("/users/me/sessions")["sessions"]
    kim.delete(f"/users/me/sessions/{session['id']}")
    kim.delete("/users/me/sessions")
    robin = world.add_user("robin", is_bot=True, bot_type=int(BotType.GENERIC), bot_owner_id=kim.id)
    kim.post(f"/bots/{robin.id}/api_key/regenerate")
    kim.post("/users/me/api_key/regenerate")


def people_come_and_go(world: World) -> None:
    olga, mona = world["olga"], world["mona"]
    accounts.allow_creating_users(world.svc, olga.email)
    olga.post("/users", email="new@example.org", full_name="New", password=PASSWORD)
    mona.delete("/users/me")
    olga.post(f"/users/{mona.id}/reactivate")
    olga.delete(f"/users/{mona.id}")


def people_are_there(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    ada.post("/users/me/presence", status="active")
    assert bea.get("/realm/presence")["presences"]
    assert bea.get(f"/users/{ada.id}/presence")["presence"]


def a_user_changes_settings(world: World) -> None:
    bea = world["bea"]
    bea.patch("/settings", twenty_four_hour_time=True, enable_sounds=False, timezone="Europe/London")
    bea.patch("/settings", email_address_visibility=4)
    bea.patch("/settings/display", color_scheme=2)
    bea.patch("/settings/notifications", enable_sounds=True)


def people_have_pictures(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    shows_picture(ada, picture())
    for path in (f"/avatar/{ada.id}", f"/avatar/{ada.email}/medium"):
        assert fetches(world.nobody, fetches(bea, path).headers["Location"]).status_code == 200
    ada.delete("/users/me/avatar")


def there_are_more_emoji(world: World) -> None:
    ada = world["ada"]
    adds_emoji(ada, "mew", animation())
    (own,) = ada.get("/realm/emoji")["emoji"].values()
    for name in ("source_url", "still_url"):
        assert fetches(world.nobody, own[name]).status_code == 200
    ada.delete("/realm/emoji/mew")


def follows(world: World, path: str, **form: str) -> None:
    """Follow a link: look at its page, then send its form."""
    client = Client(world.answers)
    for method in ("GET", "POST"):
        answer = client.open(
            path, method=method, data=form if method == "POST" else None, base_url=f"https://{HOST}"
        )
        assert answer.status_code in (200, 302), answer.text


def people_are_invited(world: World) -> None:
    ada, olga = world["ada"], world["olga"]
    offer: dict[str, Any] = {"stream_ids": [world.id("lunch")], "invite_as": 400}
    ada.post("/invites", invitee_emails="ned@example.org, nia@example.org", **offer)
    ned, nia = (one["id"] for one in ada.get("/invites")["invites"])
    ada.post(f"/invites/{ned}/resend")
    ada.delete(f"/invites/{nia}")
    follows(world, link_in(sent(world)[0]), full_name="Ned", password=PASSWORD)
    link = olga.post("/invites/multiuse", **offer)["invite_link"]
    path = link.removeprefix(f"https://{HOST}")
    follows(world, path, email="nora@example.org")
    follows(world, link_in(sent(world)[-1]), full_name="Nora", password=PASSWORD)
    (made,) = olga.get("/invites")["invites"]
    olga.delete(f"/invites/multiuse/{made['id']}")


def people_read_their_mail(world: World) -> None:
    world.change_organization(invite_required=False)
    follows(world, "/join", email="nils@example.org")
    follows(world, link_in(sent(world)[-1]), full_name="Nils", password=PASSWORD)
    nan = world.add_user("nan")
    nan.patch("/settings", email="nanna@example.org")
    follows(world, link_in(sent(world)[-1]))
    follows(world, "/reset", email="nanna@example.org")
    follows(world, link_in(sent(world)[-1]), password=PASSWORD)
    ada_id = UserId(world["ada"].id)
    follows(world, unsubscribe_link(world.svc, ada_id, MailList.MISSED).removeprefix(f"https://{HOST}"))


def a_proxy_says_who_comes(world: World) -> None:
    answer = Client(world.answers).get(
        "/accounts/login/sso",
        base_url=f"https://{HOST}",
        headers={"Remote-User": "gus@example.org"},
        environ_base=FROM,
    )
    assert answer.status_code == 302, answer.text


def words_alert_a_user(world: World) -> None:
    ada = world["ada"]
    ada.post("/users/me/alert_words", alert_words=["soup", "salad"])
    ada.delete("/users/me/alert_words", alert_words=["salad"])
    assert ada.get("/users/me/alert_words")["alert_words"] == ["soup"]


def the_organization_is_set_up(world: World) -> None:
    olga = world["olga"]
    olga.post("/realm/test_welcome_bot_custom_message", welcome_message_custom_text="*Salad*")
    olga.patch("/realm", name="Salad Society", message_content_edit_limit_seconds="unlimited")
    template = {"url_template": "https://example.org/{id}"}
    olga.patch("/realm/user_settings_defaults", enter_sends=True)
    olga.post("/realm/domains", domain="mail.example", allow_subdomains=False)
    olga.patch("/realm/domains/mail.example", allow_subdomains=True)
    assert olga.get("/realm/domains")["domains"]
    olga.delete("/realm/domains/mail.example")
    for path, night in (("/realm/icon", {}), ("/realm/logo", {"night": "true"})):
        succeeded(send_form(olga, form(part(picture(), "a.png")), path=path, query=night))
        address = fetches(olga, f"/api/v1{path}?night=true").headers["Location"]
        assert fetches(olga, address).status_code == 200
        olga.delete(path, **dict.fromkeys(night, True))
    assert fetches(olga, "/manifest.webmanifest").status_code == 200
    linkifier_id = olga.post("/realm/filters", pattern="#(?P<id>[0-9]+)", **template)["id"]
    olga.patch(f"/realm/filters/{linkifier_id}", pattern="T(?P<id>[0-9]+)", **template)
    olga.patch("/realm/linkifiers", ordered_linkifier_ids=[linkifier_id])
    assert olga.get("/realm/linkifiers")["linkifiers"]
    assert olga.get("/audit", kind="linkifiers_changed", limit=2)["entries"]
    olga.delete(f"/realm/filters/{linkifier_id}")
    hold_id = olga.post("/legal_holds", reason="Case 7", user_id=world["bea"].id)["legal_hold_id"]
    assert olga.get("/legal_holds")["legal_holds"]
    olga.delete(f"/legal_holds/{hold_id}")
    playground = {"name": "Play", "highlighter_language": "Python", "url_template": "https://p.org/{code}"}
    olga.delete(f"/realm/playgrounds/{olga.post('/realm/playgrounds', **playground)['id']}")
    choices = {"a": {"text": "A", "order": "1"}}
    field_id = olga.post("/realm/profile_fields", field_type=3, name="Choice", field_data=choices)["id"]
    olga.patch(f"/realm/profile_fields/{field_id}", hint="One of them")
    fields = olga.get("/realm/profile_fields")["custom_fields"]
    olga.patch("/realm/profile_fields", order=[field["id"] for field in fields])
    olga.delete(f"/realm/profile_fields/{field_id}")


def the_organization_rests(world: World) -> None:
    world["olga"].post("/realm/deactivate")
    reactivate_organization(world.svc)


def a_provider_vouches_for_people(world: World) -> None:
    world.add_user("ivo")
    client = browser(world)
    back = visits(client, login_services.lets_in(login_services.begins(client, "toy")))
    assert back.status_code == 302, back.text
    assert account_of(world, client) == "ivo"
    visits(client, "/login/oidc/toy/logout")
    claims = login_services.logout_claims(world.svc.settings.oidc[0].issuer, iat=world.svc.now)
    login_services.logs_out(client, login_services.signed(claims))
    assert account_of(world, client) is None


def a_login_service_provisions_people(world: World) -> None:
    service = provisioning_service.Service(world)
    assert service.gets("/Users")["totalResults"]
    person = service.creates("otto@example.org")
    path = f"/Users/{person['id']}"
    assert service.succeeds("PUT", path, {**person, "displayName": "Otto"})["displayName"] == "Otto"
    service.patches(path, {"op": "replace", "value": {"active": False}})
    assert service.gets(path)["active"] is False
    assert service.sends("DELETE", path).status_code == 204


def channels_are_suggested(world: World) -> None:
    olga, ada = world["olga"], world["ada"]
    given = {"group_name": "Music", "description": "To be heard"}
    group_id = olga.post("/default_stream_groups/create", **given, stream_names=["plaza"])["group_id"]
    path = f"/default_stream_groups/{group_id}"
    olga.patch(path, new_group_name="Noise")
    for op in ("remove", "add"):
        olga.patch(f"{path}/streams", op=op, stream_names=["plaza"])
    olga.delete(path)
    olga.post("/default_stream_groups/create", **given, stream_names=["plaza"])
    address = f"/streams/{world.id('lunch')}/email_address"
    assert ada.get(address)["email"] != olga.post(f"{address}/replace")["email"]
    for op in ("add", "remove"):
        ada.patch("/users/me/subscriptions/muted_topics", stream="lunch", topic="noise", op=op)


def a_phone_is_registered(world: World) -> None:
    ada = world["ada"]
    ada.post("/zcommand", command="/dark")
    for path in ("/users/me/apns_device_token", "/users/me/android_gcm_reg_id"):
        ada.post(path, token="a0b1")
        ada.delete(path, token="a0b1")


def a_group_comes_and_goes(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    cooks, bakers = makes(ada, "cooks", ada), makes(ada, "bakers")
    patches(ada, cooks, description="They cook.")
    fills(ada, cooks, add=[bea.id])
    ada.post(f"/user_groups/{cooks}/subgroups", add=[bakers])
    ada.get(f"/user_groups/{cooks}/members")
    ada.get(f"/user_groups/{cooks}/members/{bea.id}")
    ada.get(f"/user_groups/{cooks}/subgroups")
    ada.get("/user_groups")
    ada.post(f"/user_groups/{cooks}/deactivate")
    ada.delete(f"/user_groups/{makes(ada, 'tasters')}")


def clients_are_arranged(world: World) -> None:
    ada = world["ada"]
    ada.post("/navigation_views", fragment="narrow/is/dm", is_pinned=False, name="Letters")
    ada.patch("/navigation_views/narrow%2Fis%2Fdm", is_pinned=True)
    assert ada.get("/navigation_views")["navigation_views"]
    ada.delete("/navigation_views/narrow%2Fis%2Fdm")
    ada.post("/users/me/onboarding_steps", onboarding_step="intro_inbox_view_modal")


def a_draft_is_kept(world: World) -> None:
    ada = world["ada"]
    draft = {"type": "stream", "to": [world.id("lunch")], "topic": "soup", "content": "is re"}
    (draft_id,) = ada.post("/drafts", drafts=[draft])["ids"]
    ada.patch(f"/drafts/{draft_id}", draft={**draft, "content": "is ready"})
    assert ada.get("/drafts")["drafts"]
    ada.delete(f"/drafts/{draft_id}")


def the_organization_is_exported(world: World) -> None:
    olga = world["olga"]
    world["ada"].patch("/settings", allow_private_data_export=True)
    assert olga.get("/export/realm/consents")["export_consents"]
    export_id = olga.post("/export/realm", export_type=2)["id"]
    write_requested(world.svc)
    (export,) = olga.get("/export/realm")["exports"]
    assert fetches(olga, export["export_url"]).status_code == 200
    olga.delete(f"/export/realm/{export_id}")


def data_of_people_is_exported(world: World) -> None:
    ada, olga = world["ada"], world["olga"]
    ada.post("/users/me/exports")
    write_requested(world.svc)
    (export,) = ada.get("/users/me/exports")["exports"]
    assert fetches(ada, export["export_url"]).status_code == 200
    ada.patch("/settings", allow_private_data_export=True)
    olga.post(f"/users/{ada.id}/exports")


def a_person_is_erased(world: World) -> None:
    dora = world.add_user("dora")
    world["olga"].post(f"/users/{dora.id}/erase", messages="delete")


def a_snippet_is_saved(world: World) -> None:
    ada = world["ada"]
    snippet_id = ada.post("/saved_snippets", title="Today", content="is re")["saved_snippet_id"]
    ada.patch(f"/saved_snippets/{snippet_id}", content="is ready")
    assert ada.get("/saved_snippets")["saved_snippets"]
    ada.delete(f"/saved_snippets/{snippet_id}")


def a_message_waits(world: World) -> None:
    ada = world["ada"]
    place = {"type": "channel", "to": world.id("lunch"), "topic": "soup"}
    due = int(world.clock()) + 60
    waiting, _ = [
        ada.post("/scheduled_messages", content="is re", scheduled_delivery_timestamp=due, **place)[
            "scheduled_message_id"
        ]
        for _ in range(2)
    ]
    ada.patch(f"/scheduled_messages/{waiting}", content="is ready", scheduled_delivery_timestamp=due + 60)
    world.clock.advance(60)
    deliver_due(world.svc)
    assert [one["scheduled_message_id"] for one in ada.get("/scheduled_messages")["scheduled_messages"]] == [
        waiting
    ]
    ada.delete(f"/scheduled_messages/{waiting}")


def a_message_is_remembered(world: World) -> None:
    ada = world["ada"]
    given = {"message_id": ada.says("is ready"), "scheduled_delivery_timestamp": int(world.clock()) + 60}
    reminder_id = ada.post("/reminders", note="eat", **given)["reminder_id"]
    assert ada.get("/reminders")["reminders"]
    ada.delete(f"/reminders/{reminder_id}")


def a_bot_remembers_something(world: World) -> None:
    robo = world["robo"]
    robo.put("/bot_storage", storage={"game": "x", "turn": "o"})
    robo.delete("/bot_storage", keys=["turn"])
    assert robo.get("/bot_storage")["storage"] == {"game": "x"}


def a_file_is_shared(world: World) -> None:
    ada = world["ada"]
    url = uploads(ada)["url"]
    ada.says(url)
    assert fetches(ada, url).data == b"soup"
    assert fetches(ada, url.replace("/user_uploads/", "/user_uploads/download/")).data == b"soup"
    assert fetches(world.nobody, ada.get(url)["url"]).data == b"soup"
    (attachment,) = ada.get("/attachments")["attachments"]
    ada.delete(f"/attachments/{attachment['id']}")
    with thumbnails_wait(world):
        image = shows_image(ada)
        ada.says(f"[x]({image})")
        assert fetches(ada, thumbnail(image)).status_code == 200


def a_picture_of_another_site_is_shown(world: World) -> None:
    ada = world["ada"]
    url = world.svc.settings.bigbluebutton_url.replace("bigbluebutton", "soup.png")
    _, source, rest = ada.message(ada.says(url))["content"].partition("/external_content/")
    assert fetches(world.nobody, source + rest.partition('"')[0]).status_code == 200


def a_file_arrives_in_parts(world: World) -> None:
    ada = world["ada"]
    request(world.nobody, "OPTIONS", TUS)
    given_up, location = begins(ada, 4), begins(ada, 4)
    request(world.nobody, "OPTIONS", location)
    request(ada, "DELETE", given_up)
    sends(ada, location, 0, b"so")
    assert sends(ada, location, offset(ada, location), b"up").get_json()["url"]


def people_call_each_other(world: World) -> None:
    ada = world["ada"]
    url = ada.get("/calls/bigbluebutton/create", meeting_name="Soup", voice_only=True)["url"]
    assert fetches(ada, url).status_code == 302


def a_bot_is_kept(world: World) -> None:
    ada = world["ada"]
    made = ada.post("/bots", full_name="Echo", short_name="echo")
    ada.patch(f"/bots/{made['user_id']}", full_name="Echo the Second", default_sending_stream="lunch")
    assert "Echo the Second" in {bot["full_name"] for bot in ada.get("/bots")["bots"]}
    query = {"api_key": made["api_key"], "stream": "lunch"}
    succeeded(send_json(world, "/external/json", query, {"soup": True}))
    ada.delete(f"/bots/{made['user_id']}")


STORIES: Final[tuple[Callable[[World], None], ...]] = (
    a_user_logs_in,
    a_provider_vouches_for_people,
    a_user_listens,
    people_talk,
    messages_are_reported,
    messages_are_changed,
    people_join_and_leave,
    a_channel_comes_and_goes,
    channels_are_in_folders,
    channels_are_suggested,
    people_look_at_each_other,
    people_come_and_go,
    people_are_there,
    a_user_changes_settings,
    people_have_pictures,
    there_are_more_emoji,
    words_alert_a_user,
    people_are_invited,
    people_read_their_mail,
    a_proxy_says_who_comes,
    the_organization_is_set_up,
    a_group_comes_and_goes,
    clients_are_arranged,
    a_phone_is_registered,
    the_organization_rests,
    a_draft_is_kept,
    the_organization_is_exported,
    data_of_people_is_exported,
    a_person_is_erased,
    a_snippet_is_saved,
    a_message_waits,
    a_message_is_remembered,
    people_call_each_other,
    a_bot_is_kept,
    a_bot_remembers_something,
    a_file_is_shared,
    a_picture_of_another_site_is_shown,
    a_file_arrives_in_parts,
    browsers_get_pushes,
    a_login_service_provisions_people,
    keys_are_replaced_and_browsers_logged_out,
)


def name_of(route: AnyRoute) -> str:
    return f"{route.method} {path_template(route.full_path)}"


# -- refusals ---------------------------------------------------------------------------------------

SAY_NOTHING: Final = {
    "/api/v1/server_settings",
    "/api/v1/dev_list_users",
    "/api/v1/tus",
    "/api/v1/tus/{upload_id:path}",
    "/join",
    "/manifest.webmanifest",
    "/reset",
}
"""Endpoints that need no authentication and cannot refuse a request without parameters."""
REFUSED: Final = {Auth.NONE: (400, 404), Auth.OWN_PAGE: (403,)}
"""The status of endpoints that refuse such a request for another reason than the key."""


def test_every_endpoint_refuses_as_our_document_says(world: World) -> None:
    stranger = {"User-Agent": "tests/1.0", "Authorization": basic("ada@example.org", "x" * 32)}
    client = Client(world.answers)
    for route in ROUTES:
        if route.auth is Auth.NONE and route.full_path in SAY_NOTHING:
            continue
        path = path_template(route.full_path).format_map(Anything())
        answer = client.open(path, method=route.method, headers=stranger, base_url=f"http://{HOST}")
        has_own_token = route.full_path.startswith(scim.PATH)
        refused = (401,) if has_own_token else REFUSED.get(route.auth, (401,))
        assert answer.status_code in refused, route
    assert world.answers.succeeded == {}


class Anything(dict[str, str]):
    """Fills in the pieces of a path."""

    def __missing__(self, name: str) -> str:
        return "1"


# -- against the description of the API -------------------------------------------------------------


ELSEWHERE: Final = {"response": {"see": "another description, or none"}}
RECEIVED: Final = "PATCH /api/v1/tus/{upload_id}"
FIELDS: Final = "GET /api/v1/realm/profile_fields.custom_fields[]"
OWN_USER: Final = "GET /api/v1/users/me"
WANTED: Final[Mapping[str, str]] = {
    f"{FIELDS}.field_type is not described": "the specification's name, beside that of clients",
    f"{OWN_USER}.bot_type is not described": "a bot learns of itself what others learn of it",
    f"{OWN_USER}.bot_owner_id is not described": "a bot learns of itself what others learn of it",
    "POST /api/v1/users/me/presence.zephyr_mirror_active is missing": "deprecated; there is no such mirror",
    f"{RECEIVED}.result is missing": "the protocol knows no envelope",
    f"{RECEIVED}.msg is missing": "the protocol knows no envelope",
    f"{RECEIVED}.uri is not described": "the older name of `url`, as after a plain upload",
}
"""Accepted differences from the description, with their reasons."""


def test_every_endpoint_succeeds_as_our_document_says(world: World) -> None:
    for story in STORIES:
        story(world)
    silent = set(ROUTES) - world.answers.succeeded.keys()
    assert {name_of(route) for route in silent} == missing.REFUSED.keys()
    if IS_AT_HAND:
        require_described_fields(world)


def require_described_fields(world: World) -> None:
    """Hold the last answer of each endpoint against the description of the API."""
    description = described("endpoints.json")
    endpoints = {f"{one['method']} {one['path']}": one for one in description["endpoints"]}
    common = description["common"]["success_fields"]
    problems: set[str] = set()
    for route, body in world.answers.succeeded.items():
        name = name_of(route)
        fields = endpoints.get(name, ELSEWHERE)["response"]
        if "see" not in fields and body:
            answer = {"type": "object", "fields": {**common, **fields}}
            problems |= {*mismatches(answer, json.loads(body), name, description["types"])}
    assert problems == WANTED.keys()
