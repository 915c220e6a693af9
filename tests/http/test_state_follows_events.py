"""The state of before and the events since then are the state of now, for profiles and configuration."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from chatcore.application.accounts import NewUser, allow_email_changes, create_user
from chatcore.domain.groups import GroupSetting, SystemGroup
from chatcore.domain.roles import Role
from chatcore.domain.users import EmailVisibility
from tests.http.api import Api, Body, MakeApi

VIEWERS = ("ada", "grace", "gil", "eve", "lena")
"""The owner, a member, a guest, a former subscriber, and a member who came late to a protected channel."""

LISTS = (
    "alert_words",
    "custom_profile_fields",
    "muted_topics",
    "realm_linkifiers",
    "realm_playgrounds",
    "user_settings",
    "user_status",
)
OWN_RIGHTS = ("is_owner", "is_admin", "is_moderator", "is_guest", "full_name", "email", "delivery_email")


class Client:
    """One person's client: it registers once, and then only listens."""

    def __init__(self, api: Api, who: str, capabilities: dict[str, bool]) -> None:
        self.api = api
        self.who = who
        self.capabilities = capabilities
        self.id = api.id(who)
        registered = self._register()
        self.queue_id, self.last = registered["queue_id"], registered["last_event_id"]
        self.state = view(registered)

    def _register(self) -> Body:
        return self.api.ok(
            self.who,
            "POST",
            "register",
            client_gravatar=False,
            client_capabilities={"notification_settings_null": True, **self.capabilities},
        )

    def of_now(self) -> Body:
        return view(self._register())

    def listen(self) -> None:
        answer = self.api.ok(
            self.who, "GET", "events", queue_id=self.queue_id, last_event_id=self.last, dont_block=True
        )
        for event in answer["events"]:
            self.last = event["id"]
            getattr(self, "on_" + event["type"], lambda event: None)(event)

    # -- what a client does with each event ---------------------------------------------------------

    def on_alert_words(self, event: Body) -> None:
        self.state["alert_words"] = event["alert_words"]

    def on_muted_topics(self, event: Body) -> None:
        self.state["muted_topics"] = sorted(event["muted_topics"])

    def on_realm_linkifiers(self, event: Body) -> None:
        self.state["realm_linkifiers"] = event["realm_linkifiers"]

    def on_realm_playgrounds(self, event: Body) -> None:
        self.state["realm_playgrounds"] = event["realm_playgrounds"]

    def on_custom_profile_fields(self, event: Body) -> None:
        self.state["custom_profile_fields"] = event["fields"]
        known = {str(field["id"]) for field in event["fields"]}
        for user in self.state["users"].values():
            if "profile_data" in user:
                kept = {key: value for key, value in user["profile_data"].items() if key in known}
                user["profile_data"] = kept

    def on_user_settings(self, event: Body) -> None:
        self.state["user_settings"][event["property"]] = event["value"]

    def on_user_status(self, event: Body) -> None:
        statuses = self.state["user_status"]
        status = {**statuses.get(str(event["user_id"]), {}), **event}
        for name in ("id", "type", "user_id"):
            del status[name]
        status = {name: value for name, value in status.items() if value}
        statuses.pop(str(event["user_id"]), None)
        if status:
            statuses[str(event["user_id"])] = status

    def on_user_topic(self, event: Body) -> None:
        key = (event["stream_id"], event["topic_name"].lower())
        self.state["user_topics"].pop(key, None)
        if event["visibility_policy"]:
            self.state["user_topics"][key] = event["visibility_policy"]

    def on_stream(self, event: Body) -> None:
        ids = {channel["stream_id"] for channel in event["streams"]}
        self.state["streams"] = (
            self.state["streams"] | ids if event["op"] == "create" else self.state["streams"] - ids
        )

    def on_realm_user(self, event: Body) -> None:
        person, users = event["person"], self.state["users"]
        match event["op"]:
            case "add":
                person.pop("is_active")
                users[person["user_id"]] = person
            case "remove":
                users.pop(person["user_id"], None)
                self.state["user_status"].pop(str(person["user_id"]), None)
            case "update" if person["user_id"] in users:
                # Who may know of more users now is told of them after what had happened to them before.
                self._update(users[person["user_id"]], dict(person))

    def _update(self, user: Body, changes: Body) -> None:
        is_me = changes.pop("user_id") == self.id
        if (value := changes.pop("custom_profile_field", None)) is not None:
            key = str(value.pop("id"))
            user["profile_data"].pop(key, None)
            if value["value"] is not None:
                user["profile_data"][key] = value
            user["profile_data"] = dict(sorted(user["profile_data"].items(), key=lambda item: int(item[0])))
        if (email := changes.pop("new_email", None)) is not None:
            changes["email"] = email
        if (role := changes.get("role")) is not None:
            changes.update(is_owner=role == 100, is_admin=role <= 200, is_guest=role == 600)
        for name in ("avatar_source", "avatar_url_medium"):
            changes.pop(name, None)
        user.update(changes)
        if is_me:
            if role is not None:
                changes["is_moderator"] = role <= 300
            own = self.state["own"]
            own.update({name: value for name, value in changes.items() if name in own})


def view(state: Body) -> Body:
    """What is compared, in a form in which order means nothing where it means nothing."""
    seen = {name: state[name] for name in LISTS}
    seen["muted_topics"] = sorted(state["muted_topics"])
    seen["users"] = {
        user["user_id"]: user for name in ("realm_users", "realm_non_active_users") for user in state[name]
    }
    seen["own"] = {name: state[name] for name in OWN_RIGHTS}
    seen["streams"] = {channel["stream_id"] for channel in state["streams"]}
    seen["user_topics"] = {
        (row["stream_id"], row["topic_name"].lower()): row["visibility_policy"]
        for row in state["user_topics"]
    }
    return seen


class Life:
    """Things that happen in an organization, drawn at random."""

    def __init__(self, api: Api, seed: int) -> None:
        self.api = api
        self.random = random.Random(seed)
        self.fields: list[tuple[int, int]] = []
        self.made = 0
        self.actions: list[Callable[[], None]] = [
            self.define, self.define, self.redefine, self.remove_field, self.fill, self.fill, self.fill,
            self.linkifier, self.playground, self.status, self.status, self.topic, self.words,
            self.rename, self.role, self.role, self.email, self.join,
        ]  # fmt: skip

    def step(self) -> None:
        self.random.choice(self.actions)()

    def person(self) -> str:
        return self.random.choice([*VIEWERS, "mary"])

    def number(self) -> int:
        self.made += 1
        return self.made

    def define(self) -> None:
        kind = self.random.choice([1, 2, 3, 4, 6, 8])
        data = {"a": {"text": "A", "order": "1"}, "b": {"text": "B", "order": "2"}} if kind == 3 else None
        answer = self.api.ok(
            "ada",
            "POST",
            "realm/profile_fields",
            field_type=kind,
            name=f"Field {self.number()}",
            field_data=data,
        )
        self.fields.append((answer["id"], kind))

    def redefine(self) -> None:
        if not self.fields:
            return
        number, kind = self.random.choice(self.fields)
        data = {"a": {"text": f"A{self.number()}", "order": "1"}} if kind == 3 else None
        name = f"Field {self.number()}"
        self.api.ok("ada", "PATCH", f"realm/profile_fields/{number}", name=name, field_data=data)
        order = [one for one, _ in self.fields]
        self.random.shuffle(order)
        self.api.ok("ada", "PATCH", "realm/profile_fields", order=order)

    def remove_field(self) -> None:
        if len(self.fields) > 3:
            number, _ = self.fields.pop(0)
            self.api.ok("ada", "DELETE", f"realm/profile_fields/{number}")

    def fill(self) -> None:
        if not self.fields:
            return
        number, kind = self.random.choice(self.fields)
        value: Any = {3: "a", 4: "1906-12-09", 6: [self.api.id("grace")]}.get(kind, f"*{self.number()}*")
        who = self.person()
        data = [{"id": number, "value": self.random.choice([value, value, ""])}]
        self.api.ok("ada", "PATCH", f"users/{self.api.id(who)}", profile_data=data)

    def linkifier(self) -> None:
        pattern = f"x{self.number()}"
        number = self.api.ok(
            "ada", "POST", "realm/filters", pattern=pattern, url_template="https://a.example/"
        )["id"]
        if self.random.random() < 0.5:
            self.api.ok("ada", "DELETE", f"realm/filters/{number}")

    def playground(self) -> None:
        body = {"highlighter_language": "C", "url_template": "https://a.example/{code}"}
        number = self.api.ok("ada", "POST", "realm/playgrounds", name=f"P{self.number()}", **body)["id"]
        if self.random.random() < 0.5:
            self.api.ok("ada", "DELETE", f"realm/playgrounds/{number}")

    def status(self) -> None:
        body: Body = self.random.choice(
            [{"status_text": "out"}, {"status_text": ""}, {"emoji_name": "house"}, {"emoji_name": ""},
             {"away": True}, {"away": False}]
        )  # fmt: skip
        self.api.ok(self.person(), "POST", "users/me/status", **body)

    def topic(self) -> None:
        policy, topic = self.random.choice([0, 1, 2, 3]), self.random.choice(["Soup", "SOUP", "", "Bread"])
        channel = self.api.channel("lunch")
        self.api.ok(
            self.random.choice(["ada", "grace", "gil"]),
            "POST",
            "user_topics",
            stream_id=channel,
            topic=topic,
            visibility_policy=policy,
        )

    def words(self) -> None:
        method = self.random.choice(["POST", "DELETE"])
        self.api.ok(self.person(), method, "users/me/alert_words", alert_words=[self.random.choice("abc")])

    def rename(self) -> None:
        who = self.person()
        self.api.ok("ada", "PATCH", f"users/{self.api.id(who)}", full_name=f"Name {self.number()}")

    def role(self) -> None:
        who = self.random.choice(["grace", "gil", "eve", "lena"])
        roles = [300, 400, 600] if self.api.user(who).role == Role.GUEST else [200, 300, 400, 600]
        self.api.ok("ada", "PATCH", f"users/{self.api.id(who)}", role=self.random.choice(roles))

    def email(self) -> None:
        who = self.person()
        self.api.ok("ada", "PATCH", f"users/{self.api.id(who)}", new_email=f"mail{self.number()}@example.org")

    def join(self) -> None:
        number = self.number()
        create_user(self.api.svc, NewUser(email=f"new{number}@example.org", full_name=f"New {number}"))


EVERYTHING = dict.fromkeys(
    ("linkifier_url_template", "user_list_incomplete", "archived_channels", "empty_topic_name",
     "user_settings_object", "include_deactivated_groups"),
    True,
)  # fmt: skip


def a_life(make_api: MakeApi, seed: int, **organization: Any) -> tuple[Api, Life]:
    api = make_api(**organization)
    api.add_person("lena")
    allow_email_changes(api.svc, "ada@example.org")
    visibilities = {
        "grace": EmailVisibility.MODERATORS,
        "mary": EmailVisibility.ADMINISTRATORS,
        "eve": EmailVisibility.NOBODY,
        "lena": EmailVisibility.MEMBERS,
    }

    def write(tx: Any) -> None:
        for name, visibility in visibilities.items():
            tx.users.update(api.id(name), email_visibility=int(visibility))
        tx.subscriptions.start(
            api.world.channels["vault"].id, {api.id("lena"): "#000000"}, tx.draw(), read_to=0
        )

    api.svc.storage.write(write)
    return api, Life(api, seed)


@pytest.mark.parametrize("capable", [True, False])
@pytest.mark.parametrize("seed", [1, 2])
def test_fifty_things_happen(make_api: MakeApi, seed: int, capable: bool) -> None:
    api, life = a_life(make_api, seed)
    clients = [Client(api, who, EVERYTHING if capable else {}) for who in VIEWERS]
    for _ in range(50):
        life.step()
        for client in clients:
            client.listen()
    for client in clients:
        assert client.state == client.of_now(), client.who


@pytest.mark.parametrize("capable", [True, False])
@pytest.mark.parametrize("seed", [3])
def test_fifty_things_happen_where_guests_know_few(make_api: MakeApi, seed: int, capable: bool) -> None:
    limited = {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    api, life = a_life(make_api, seed, permissions=limited)
    clients = [Client(api, who, EVERYTHING if capable else {}) for who in VIEWERS]
    for _ in range(50):
        life.step()
        for client in clients:
            client.listen()
    for client in clients:
        assert client.state == client.of_now(), client.who
