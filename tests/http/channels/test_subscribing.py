"""Subscriptions: joining, making channels, adding others, leaving, and the list of one's own."""

from typing import Any

import pytest

from chatcore.domain.channels.channels import COLORS
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.limits import Limits
from tests.worlds.organization import MakeWorld, Someone, World

PATH = "/users/me/subscriptions"


def subscribe(who: Someone, *names: str, **parameters: Any) -> dict[str, Any]:
    return who.joins(*names, **parameters)


def refused(who: Someone, *names: str, **parameters: Any) -> dict[str, Any]:
    code = parameters.pop("code", "BAD_REQUEST")
    return who.refused("POST", PATH, code=code, subscriptions=[{"name": n} for n in names], **parameters)


def mine(who: Someone, name: str, **parameters: Any) -> dict[str, Any]:
    (found,) = [one for one in who.get(PATH, **parameters)["subscriptions"] if one["name"] == name]
    return found  # type: ignore[no-any-return]


def names(who: Someone) -> list[str]:
    return [one["name"] for one in who.get(PATH)["subscriptions"]]


# -- joining ----------------------------------------------------------------------------------------


@pytest.mark.shows("named.subscribe")
def test_joining_says_what_is_new_and_what_was_so(cem: Someone) -> None:
    subscribe(cem, "Plaza")
    answer = subscribe(cem, " LUNCH ", "plaza")
    assert answer == {
        "result": "success",
        "msg": "",
        "subscribed": {str(cem.id): ["lunch"]},
        "already_subscribed": {str(cem.id): ["plaza"]},
        "new_subscription_messages_sent": True,
    }
    assert names(cem) == ["lunch", "plaza"]


def test_nothing_asked_for_is_nothing_done(cem: Someone) -> None:
    answer = subscribe(cem)
    assert (answer["subscribed"], answer["already_subscribed"]) == ({}, {})


def test_one_name_in_two_spellings_is_one_channel(world: World, cem: Someone) -> None:
    assert subscribe(cem, "Garden", "garden")["subscribed"] == {str(cem.id): ["garden"]}
    assert world.count("subscription") == 8 + 1


def test_a_description_is_markup_with_linkifiers_but_nothing_is_looked_up(
    world: World, olga: Someone
) -> None:
    olga.post("/realm/filters", pattern="#(?P<id>[0-9]+)", url_template="https://track.example/{id}")
    text = "see #7 @**Bea** https://a.example/a.png"
    olga.post(PATH, subscriptions=[{"name": "garden", "description": text}])
    html = mine(olga, "garden")["rendered_description"]
    assert '<a href="https://track.example/7">#7</a> @<strong>Bea</strong>' in html
    assert "<img" not in html


@pytest.mark.shows(
    "channel.description", "channel.rendered-description", "channel.traffic", "named.subscribe",
)  # fmt: skip
def test_a_new_name_makes_a_channel(world: World, cem: Someone) -> None:
    answer = cem.post(
        PATH, subscriptions=[{"name": "  Garden ", "description": "what\n*grows*"}], topics_policy="inherit"
    )
    assert answer["subscribed"] == {str(cem.id): ["Garden"]}
    garden = mine(cem, "Garden", include_subscribers="true")
    (first,) = cem.finds("channel:garden")
    assert garden["description"] == "what *grows*"
    assert garden["rendered_description"] == "<p>what <em>grows</em></p>"
    assert garden["creator_id"] == cem.id
    assert garden["subscribers"] == [cem.id]
    assert garden["subscriber_count"] == 1
    assert garden["first_message_id"] == first
    assert garden["stream_weekly_traffic"] is None
    assert garden["can_administer_channel_group"] == {"direct_members": [cem.id], "direct_subgroups": []}
    assert (garden["can_send_message_group"], garden["can_remove_subscribers_group"]) == (7, 3)
    assert (garden["stream_post_policy"], garden["is_announcement_only"]) == (1, False)


@pytest.mark.shows(
    "channel.creator", "channel.notifications", "channel.pin-to-top", "channel.is-muted",
    "channel.in-home-view", "channel.color",
)  # fmt: skip
def test_a_subscription_has_all_its_fields(world: World, ada: Someone) -> None:
    world.add_channel("attendance", "ada", creator_id=None)
    world.mute("ada", "attendance")
    found = mine(ada, "attendance")
    assert {name: value for name, value in found.items() if not name.startswith("can_")} == {
        "stream_id": world.id("attendance"),
        "name": "attendance",
        "description": "",
        "rendered_description": "",
        "date_created": world.channels["attendance"].date_created,
        "creator_id": None,
        "invite_only": False,
        "is_web_public": False,
        "history_public_to_subscribers": True,
        "is_announcement_only": False,
        "is_archived": False,
        "is_recently_active": True,
        "stream_post_policy": 1,
        "topics_policy": "inherit",
        "message_retention_days": None,
        "first_message_id": None,
        "folder_id": None,
        "subscriber_count": 1,
        "stream_weekly_traffic": 0,
        "color": COLORS[0],
        "is_muted": True,
        "in_home_view": False,
        "pin_to_top": False,
        "desktop_notifications": None,
        "email_notifications": None,
        "push_notifications": None,
        "audible_notifications": None,
        "wildcard_mentions_notify": None,
    }
    assert (mine(ada, "lunch")["is_muted"], mine(ada, "lunch")["in_home_view"]) == (False, True)
    (registered,) = [
        one
        for one in ada.post("/register", client_capabilities={"notification_settings_null": True})[
            "subscriptions"
        ]
        if one["name"] == "attendance"
    ]
    assert registered == found


@pytest.mark.shows("channel.invite-only", "channel.web-public", "channel.history")
@pytest.mark.parametrize(
    ("parameters", "invite_only", "web_public", "shared"),
    [
        ({}, False, False, True),
        ({"invite_only": True}, True, False, False),
        ({"invite_only": True, "history_public_to_subscribers": True}, True, False, True),
        ({"history_public_to_subscribers": False}, False, False, True),
        ({"is_web_public": True}, False, True, True),
        ({"is_web_public": True, "history_public_to_subscribers": False}, False, True, True),
    ],
)
def test_there_are_four_kinds_of_channels(
    world: World, olga: Someone, parameters: dict[str, Any], invite_only: bool, web_public: bool, shared: bool
) -> None:
    world.open_to_the_web()
    subscribe(olga, "garden", **parameters)
    garden = mine(olga, "garden")
    assert garden["invite_only"] is invite_only
    assert garden["is_web_public"] is web_public
    assert garden["history_public_to_subscribers"] is shared


def test_private_and_web_public_exclude_one_another(world: World, olga: Someone) -> None:
    world.open_to_the_web()
    refused(olga, "garden", invite_only=True, is_web_public=True)


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\nb", "a\x00b", "\ufffe"])
def test_a_channel_has_a_name_that_can_be_read(world: World, ada: Someone, name: str) -> None:
    before = world.count("channel")
    refused(ada, "garden", name)
    assert world.count("channel") == before
    subscribe(ada, "x" * 60, "🌻" * 60)


def test_a_description_has_an_end(world: World, ada: Someone) -> None:
    long = "x" * 1025
    ada.refused("POST", PATH, subscriptions=[{"name": "garden", "description": long}])
    ada.post(PATH, subscriptions=[{"name": "garden", "description": long[1:]}])
    ada.post(PATH, subscriptions=[{"name": "lunch", "description": long}])  # it is there already
    assert mine(ada, "lunch")["description"] == ""


@pytest.mark.parametrize(
    "subscriptions", ["lunch", '["lunch"]', '[{"title": "lunch"}]', '{"name": "lunch"}', "[1]", ""]
)
def test_channels_are_listed_as_objects_with_names(ada: Someone, subscriptions: str) -> None:
    answer = ada.refused("POST", PATH, subscriptions=subscriptions)
    assert answer["var_name"] == "subscriptions"


def test_properties_for_new_channels_do_not_change_existing_ones(ada: Someone) -> None:
    ada.post(PATH, subscriptions=[{"name": "plaza", "description": "other"}], invite_only=True)
    plaza = mine(ada, "plaza")
    assert (plaza["description"], plaza["invite_only"]) == ("", False)


# -- colours and personal settings ------------------------------------------------------------------


@pytest.mark.shows(
    "channel.notifications", "channel.pin-to-top", "channel.is-muted", "channel.in-home-view", "channel.color"
)
def test_settings_stay_after_leaving(world: World, ada: Someone) -> None:
    settings: dict[str, Any] = {
        "color": "#123456", "pin_to_top": True, "is_muted": True, "desktop_notifications": True,
        "email_notifications": False, "push_notifications": True, "audible_notifications": False,
        "wildcard_mentions_notify": True,
    }  # fmt: skip
    data = [{"stream_id": world.id("lunch"), "property": n, "value": v} for n, v in settings.items()]
    ada.post("/users/me/subscriptions/properties", subscription_data=data)
    ada.leaves("lunch")
    state = ada.registers(client_capabilities={"notification_settings_null": True}).state
    (left,) = state["unsubscribed"]
    assert left["name"] == "lunch"
    assert {name: left[name] for name in settings} == settings
    assert left["in_home_view"] is False
    ada.joins("lunch")
    assert {name: mine(ada, "lunch")[name] for name in settings} == settings


@pytest.mark.shows("channel.color")
@pytest.mark.parametrize(
    ("given", "stored"), [("#ABCDEF", "#abcdef"), ("#a1c", "#aa11cc"), ("#00ff0", "#00ff00")]
)
def test_a_colour_is_six_small_digits(cem: Someone, given: str, stored: str) -> None:
    cem.post(PATH, subscriptions=[{"name": "lunch", "color": given}])
    assert mine(cem, "lunch")["color"] == stored


@pytest.mark.parametrize("color", ["red", "#12", "#1234567", "#ggg", "123456", ""])
def test_another_colour_is_refused(cem: Someone, color: str) -> None:
    cem.refused("POST", PATH, subscriptions=[{"name": "lunch", "color": color}])


def test_colours_that_one_does_not_use_come_first(cem: Someone) -> None:
    subscribe(cem, "lunch", "plaza", *(f"garden {number}" for number in range(len(COLORS))))
    colors = [one["color"] for one in cem.get(PATH)["subscriptions"]]
    assert set(colors) == set(COLORS)
    assert len(colors) == len(COLORS) + 2


def test_coming_back_restores_what_one_had_set(world: World, bea: Someone) -> None:
    bea.post(PATH, subscriptions=[{"name": "plaza", "color": "#abcdef"}])
    world.mute("bea", "plaza")
    bea.leaves("plaza")
    bea.post(PATH, subscriptions=[{"name": "plaza", "color": "#123456"}])
    plaza = mine(bea, "plaza")
    assert (plaza["color"], plaza["is_muted"], plaza["in_home_view"]) == ("#abcdef", True, False)


# -- permissions ------------------------------------------------------------------------------------


def test_guests_do_not_subscribe(world: World, gus: Someone) -> None:
    for name in ("lunch", "plaza", "garden"):
        refused(gus, name)


@pytest.mark.parametrize("channel", ["secret", "vault"])
def test_a_private_channel_lets_nobody_in_by_themselves(world: World, cem: Someone, channel: str) -> None:
    for who in (cem, world["adi"], world["olga"]):
        answer = refused(who, "plaza", channel)
        assert channel in answer["msg"]
        assert names(who) == []


def test_users_who_may_not_create_channels_do_not_learn_whether_a_name_is_taken(
    world: World, cem: Someone
) -> None:
    world.change_organization(permissions={"can_create_public_channel_group": GroupSetting.of()})
    for fatal in (True, False):
        hidden = refused(cem, "secret", authorization_errors_fatal=fatal)
        assert hidden == refused(cem, "nowhere", authorization_errors_fatal=fatal)
    hidden = cem.refused("PATCH", PATH, add=[{"name": "secret"}])
    assert hidden == cem.refused("PATCH", PATH, add=[{"name": "nowhere"}])


def test_inaccessible_channels_can_be_listed_instead(cem: Someone) -> None:
    answer = subscribe(cem, "lunch", "Secret", authorization_errors_fatal=False)
    assert answer["unauthorized"] == ["Secret"]
    assert answer["subscribed"] == {str(cem.id): ["lunch"]}
    assert subscribe(cem, "lunch", authorization_errors_fatal=False)["unauthorized"] == []


def test_people_are_added_by_ids_or_addresses(world: World, ada: Someone, cem: Someone) -> None:
    answer = subscribe(ada, "secret", "lunch", principals=[cem.id, world["bea"].id, cem.id])
    assert answer["subscribed"] == {str(cem.id): ["secret", "lunch"]}
    assert answer["already_subscribed"] == {str(world["bea"].id): ["secret", "lunch"]}
    answer = subscribe(ada, "plaza", principals=["cem@example.org", "ROBO@example.org", "gus@example.org"])
    assert set(answer["subscribed"]) == {str(world[name].id) for name in ("cem", "robo", "gus")}


def test_adding_others_does_not_add_oneself(ada: Someone, cem: Someone) -> None:
    subscribe(ada, "garden", principals=[cem.id])
    assert "garden" not in names(ada)
    assert mine(cem, "garden")["creator_id"] == ada.id
    answer = subscribe(ada, "shed", principals=[])
    assert (answer["subscribed"], answer["already_subscribed"]) == ({}, {})


@pytest.mark.parametrize(
    "principals", ["[99999]", '["nobody@example.org"]', "[DEACTIVATED]", '["bea@example.org"]']
)
def test_one_unknown_person_refuses_all(world: World, ada: Someone, cem: Someone, principals: str) -> None:
    world.change_user("bea", is_active=False)
    principals = principals.replace("DEACTIVATED", str(world["bea"].id))
    before = world.count("channel"), world.count("subscription"), world.count("event")
    refused(ada, "garden", "lunch", principals=principals)
    assert (world.count("channel"), world.count("subscription"), world.count("event")) == before


def test_ids_and_addresses_do_not_mix(ada: Someone, cem: Someone) -> None:
    answer = refused(ada, "lunch", principals=[cem.id, "bea@example.org"])
    assert answer["var_name"] == "principals"


# -- leaving ----------------------------------------------------------------------------------------


@pytest.mark.shows("named.unsubscribe")
def test_leaving_names_each_channel_once_for_each_person(world: World, ada: Someone, bea: Someone) -> None:
    assert bea.leaves("Lunch", "plaza") == {
        "result": "success",
        "msg": "",
        "removed": ["lunch"],
        "not_removed": ["plaza"],
    }
    answer = world["adi"].leaves("secret", "vault", principals=[ada.id, bea.id])
    assert sorted(answer["removed"]) == ["secret", "secret", "vault"]
    assert answer["not_removed"] == ["vault"]


def test_an_unknown_channel_refuses_all(ada: Someone, cem: Someone) -> None:
    answer = ada.refused("DELETE", PATH, subscriptions=["lunch", "nowhere"])
    assert "nowhere" in answer["msg"]
    assert "lunch" in names(ada)
    hidden = cem.refused("DELETE", PATH, subscriptions=["secret"])
    assert hidden["msg"] == cem.refused("DELETE", PATH, subscriptions=["absent"])["msg"].replace(
        "absent", "secret"
    )


def test_leaving_has_bounds(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_ids_per_request=2))
    adi = world["adi"]
    people = [world[name].id for name in ("ada", "bea", "gus")]
    adi.refused("DELETE", PATH, subscriptions=["lunch", "secret", "plaza"], principals=people[:1])
    adi.refused("DELETE", PATH, subscriptions=["lunch"], principals=people)
    assert adi.leaves("lunch", "secret", principals=people[:2])["not_removed"] == []


def test_others_are_removed_by_who_may(world: World, ada: Someone, bea: Someone) -> None:
    ada.refused("DELETE", PATH, subscriptions=["lunch"], principals=[bea.id])
    world["mona"].refused("DELETE", PATH, subscriptions=["lunch"], principals=[bea.id])
    world["gus"].refused("DELETE", PATH, subscriptions=["lunch"], principals=[bea.id])
    subscribe(ada, "garden", principals=[ada.id, bea.id])
    assert ada.leaves("garden", principals=[bea.id])["removed"] == ["garden"]
    ada.refused("DELETE", PATH, subscriptions=["garden", "lunch"], principals=[bea.id])
    assert world["adi"].leaves("lunch", principals=["bea@example.org"])["removed"] == ["lunch"]


@pytest.mark.shows("named.unsubscribe")
def test_oneself_and_ones_bots_may_always_leave(world: World, ada: Someone, gus: Someone) -> None:
    subscribe(ada, "lunch", principals=[world["robo"].id])
    assert ada.leaves("lunch", principals=[world["robo"].id, ada.id])["removed"] == ["lunch", "lunch"]
    assert gus.leaves("lunch", principals=[gus.id])["removed"] == ["lunch"]


@pytest.mark.parametrize("channel", ["lunch", "secret"])
def test_people_who_leave_together_are_told_of_each_other(
    olga: Someone, ada: Someone, bea: Someone, channel: str
) -> None:
    """Only an administrator among them is told of a private channel: the others do not see it any more."""
    ada.joins(channel, principals=[olga.id, bea.id])
    lines = [who.opens_queue("subscription", "stream") for who in (olga, ada, bea)]
    olga.leaves(channel, principals=[olga.id, ada.id, bea.id])
    told = [[(e["op"], e["user_ids"]) for e in line.events() if "user_ids" in e] for line in lines]
    others = [[("peer_remove", sorted({olga.id, ada.id, bea.id} - {who.id}))] for who in (olga, ada, bea)]
    assert told == (others if channel == "lunch" else [others[0], [], []])


@pytest.mark.parametrize("principals", ["[99999]", '["nobody@example.org"]'])
def test_an_unknown_person_cannot_be_removed(world: World, principals: str) -> None:
    world["adi"].refused("DELETE", PATH, subscriptions=["lunch"], principals=principals)


def test_the_last_to_leave_closes_nothing(world: World, ada: Someone) -> None:
    ada.leaves("vault")
    (vault,) = [
        one for one in world["adi"].get("/streams", include_all=True)["streams"] if one["name"] == "vault"
    ]
    assert (vault["is_archived"], vault["subscriber_count"]) == (False, 0)


# -- one's own list ---------------------------------------------------------------------------------


def test_subscribers_are_listed_when_asked_for(world: World, ada: Someone) -> None:
    everybody = sorted(world[name].id for name in ("ada", "bea", "gus"))
    assert "subscribers" not in mine(ada, "lunch")
    assert mine(ada, "lunch", include_subscribers="true")["subscribers"] == everybody
    assert mine(ada, "lunch", include_subscribers=True)["subscribers"] == everybody
    assert mine(ada, "lunch", include_subscribers="partial")["subscribers"] == everybody
    assert "subscribers" not in mine(ada, "lunch", include_subscribers=False)
    ada.refused("GET", PATH, include_subscribers="all")


@pytest.mark.shows("level.partial-subscribers")
def test_a_large_channel_may_leave_its_subscribers_out(world: World, ada: Someone) -> None:
    world.add_people(1000, to="lunch")
    lunch = mine(ada, "lunch", include_subscribers="partial")
    assert "subscribers" not in lunch
    assert lunch["partial_subscribers"] == [ada.id], "as the state of a queue has it"
    assert lunch["subscriber_count"] == 1003
    assert len(mine(ada, "lunch", include_subscribers="true")["subscribers"]) == 1003


def test_a_channel_is_large_from_a_thousand_subscribers_on(world: World, ada: Someone) -> None:
    world.add_people(996, to="lunch")
    assert len(mine(ada, "lunch", include_subscribers="partial")["subscribers"]) == 999
    world.add_people(1, to="lunch")
    assert "subscribers" not in mine(ada, "lunch", include_subscribers="partial")


def test_the_list_has_what_is_subscribed_now(world: World, ada: Someone) -> None:
    assert names(ada) == ["lunch", "plaza", "secret", "vault"]  # the attic is archived
    ada.leaves("lunch")
    assert names(ada) == ["plaza", "secret", "vault"]


def test_deactivated_people_are_not_listed(world: World, ada: Someone) -> None:
    world.change_user("bea", is_active=False)
    assert world["bea"].id not in mine(ada, "lunch", include_subscribers="true")["subscribers"]
