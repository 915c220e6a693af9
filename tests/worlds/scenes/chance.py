"""Random actions of users, some of which are not permitted."""

from collections.abc import Callable
from typing import Any

from chatcore.application.archives.working import write_requested
from chatcore.application.invitations.joining import Newcomer, join
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.application.scheduled.delivery import deliver_due
from chatcore.domain.people.settings import RESOLVED_NOTICES
from chatcore.domain.roles import Role
from tests.worlds import files
from tests.worlds.clients.kinds import VIEWERS
from tests.worlds.groups import SETTINGS
from tests.worlds.organization import Someone
from tests.worlds.pictures import picture
from tests.worlds.scenes.chance_messages import Talk

Deed = Callable[["Chance", Someone], object]


class Chance(Talk):
    """All random actions."""

    def act(self) -> None:
        deed = self.dice.choice(DEEDS)
        who = self.world[self.dice.choice([*VIEWERS])]
        self.done.append(f"{who.name} {deed.__name__}")
        deed(self, who)

    # -- channels -----------------------------------------------------------------------------------

    def joins(self, who: Someone) -> None:
        self.ask(who, "POST", "/users/me/subscriptions", subscriptions=[{"name": self.channel()}])

    def brings(self, who: Someone) -> None:
        wanted = [{"name": self.channel()}]
        self.ask(who, "POST", "/users/me/subscriptions", subscriptions=wanted, principals=self.people(2))

    def leaves(self, who: Someone) -> None:
        self.ask(who, "DELETE", "/users/me/subscriptions", subscriptions=[self.channel()])

    def joins_and_leaves(self, who: Someone) -> None:
        self.ask(who, "PATCH", "/users/me/subscriptions", add=[{"name": self.channel()}], delete=["plaza"])

    def sets_properties(self, who: Someone) -> None:
        name = self.dice.choice(["is_muted", "in_home_view", "pin_to_top", "push_notifications"])
        data = [{"stream_id": self.channel_id(), "property": name, "value": self.dice.random() < 0.5}]
        self.ask(who, "POST", "/users/me/subscriptions/properties", subscription_data=data)

    def makes_a_channel(self, who: Someone) -> None:
        self.ask(
            who, "POST", "/users/me/subscriptions", subscriptions=[{"name": f"channel {len(self.done)}"}],
            invite_only=self.dice.random() < 0.6, history_public_to_subscribers=self.dice.random() < 0.5,
            can_administer_channel_group=self.value(), can_subscribe_group=self.value(),
        )  # fmt: skip
        self.world.storage.read(self.world.know)

    def changes_a_channel(self, who: Someone) -> None:
        changes: list[dict[str, Any]] = [
            {"description": f"*{len(self.done)}*"}, {"is_private": True}, {"is_private": True},
            {"is_private": True, "history_public_to_subscribers": True}, {"is_private": False},
            {"is_private": False, "is_web_public": True}, {"history_public_to_subscribers": False},
            {"is_default_stream": self.dice.random() < 0.7}, {"can_subscribe_group": {"new": self.value()}},
            {"can_administer_channel_group": {"new": self.value()}}, {"is_archived": False},
            {"can_send_message_group": {"new": self.dice.choice([2, 4, 7])}}, {"is_archived": False},
        ]  # fmt: skip
        who = self.dice.choice([who, self.world["olga"]])
        self.ask(who, "PATCH", f"/streams/{self.channel_id()}", **self.dice.choice(changes))

    def arranges_folders(self, who: Someone) -> None:
        path = "/channel_folders"
        known = [one["id"] for one in who.get(path, include_archived=True)["channel_folders"]]
        match self.dice.randint(0, 3) if known else 0:
            case 0:
                self.by_the_owner("POST", f"{path}/create", name=f"folder {len(self.done)}")
            case 1:
                self.by_the_owner("PATCH", path, order=self.dice.sample(known, len(known)))
            case 2:
                where = f"{path}/{self.dice.choice(known)}"
                self.by_the_owner("PATCH", where, is_archived=self.dice.random() < 0.5)
            case _:
                folder = self.dice.choice([*map(str, known), "null"])
                self.by_the_owner("PATCH", f"/streams/{self.channel_id()}", folder_id=folder)

    def suggests_channels(self, who: Someone) -> None:
        path = "/default_stream_groups"
        state = self.world["olga"].registers(fetch_event_types=["default_stream_groups"]).state
        known = [one["id"] for one in state["realm_default_stream_groups"]]
        match self.dice.randint(0, 3) if known else 0:
            case 0:
                given = {"group_name": f"group {len(self.done)}", "description": "d"}
                self.by_the_owner("POST", f"{path}/create", **given, stream_names=[self.channel()])
            case 1:
                self.by_the_owner("DELETE", f"{path}/{self.dice.choice(known)}")
            case _:
                op = self.dice.choice(["add", "remove"])
                where = f"{path}/{self.dice.choice(known)}/streams"
                self.by_the_owner("PATCH", where, op=op, stream_names=[self.channel()])

    def archives_a_channel(self, who: Someone) -> None:
        self.by_the_owner("DELETE", f"/streams/{self.channel_id()}")

    def brings_a_channel_back(self, who: Someone) -> None:
        self.by_the_owner("PATCH", f"/streams/{self.channel_id()}", is_archived=False)

    def has_to_do_with_an_archived_channel(self, who: Someone) -> None:
        """Use a channel that exists for some clients only; it may be unarchived at once."""
        name, path = "archive", "/users/me/subscriptions"
        if name not in self.world.channels:
            members = [self.world[one].id for one in ("ada", "cem", "gus")]
            made = self.by_the_owner("POST", "/channels/create", name=name, subscribers=members)
            self.by_the_owner("DELETE", f"/streams/{made['id']}")
            self.world.storage.read(self.world.know)
        number = self.world.id(name)
        data = [{"stream_id": number, "property": "color", "value": "#abc"}]
        requests: list[tuple[str, str, dict[str, Any]]] = [
            ("POST", "/user_topics", {"stream_id": number, "topic": "a", "visibility_policy": 1}),
            ("POST", "/user_topics", {"stream_id": number, "topic": "a", "visibility_policy": 3}),
            ("POST", f"{path}/properties", {"subscription_data": data}),
            ("POST", path, {"subscriptions": [{"name": name}], "principals": self.people(2)}),
            ("DELETE", path, {"subscriptions": [name]}),
            ("PATCH", f"/streams/{number}", {"is_private": self.dice.random() < 0.5}),
        ]
        for method, where, parameters in self.dice.sample(requests, 3):
            self.ask(self.dice.choice([who, self.world["olga"]]), method, where, **parameters)
        if self.dice.random() < 0.4:
            self.by_the_owner("PATCH", f"/streams/{number}", is_archived=False)
            self.by_the_owner("DELETE", f"/streams/{number}")

    def deletes_a_topic(self, who: Someone) -> None:
        self.ask(who, "POST", f"/streams/{self.channel_id()}/delete_topic", topic_name=self.topic())

    # -- accounts -----------------------------------------------------------------------------------

    def is_renamed(self, who: Someone) -> None:
        self.by_the_owner("PATCH", f"/users/{who.id}", full_name=f"Name {len(self.done)}")

    def gets_another_role(self, who: Someone) -> None:
        if who.name not in ("olga", "robo", "gus"):  # an owner and a guest must remain
            role = self.dice.choice([Role.MODERATOR, Role.MEMBER, Role.GUEST, Role.ADMINISTRATOR])
            self.by_the_owner("PATCH", f"/users/{who.id}", role=int(role))
            self.world.take_keys()

    def gets_a_colleague(self, who: Someone) -> None:
        number, role = len(self.done), self.dice.choice([Role.MEMBER, Role.GUEST])
        is_owned = self.dice.random() < 0.3 and who.name != "robo"  # bots own no bots
        owner = self.world.actor(who.name or "") if is_owned else None
        if owner is not None:
            role = max(role, owner.role)  # a bot has no more permissions than its owner
        new = NewUser(
            email=f"new{number}@example.org", full_name=f"New {number}", role=role,
            is_bot=owner is not None, bot_owner_id=None if owner is None else owner.user_id,
        )  # fmt: skip
        create_user(self.world.svc, new)

    def invites_somebody(self, who: Someone) -> None:
        inviter = self.dice.choice([who, self.world["olga"]])
        given = {"stream_ids": [self.channel_id()], "group_ids": [self.group()]}
        made = self.ask(
            inviter, "POST", "/invites/multiuse", invite_as=self.dice.choice([400, 600]),
            include_realm_default_subscriptions=self.dice.random() < 0.5, **given,
        )  # fmt: skip
        if made is not None:
            number, token = len(self.done), made["invite_link"].rpartition("/")[2]
            newcomer = Newcomer(
                full_name=f"Invited {number}", email=f"i{number}@example.org", password="secret"
            )
            join(self.world.svc, token, newcomer)

    def comes_and_goes(self, who: Someone) -> None:
        """Subscribe, deactivate or reactivate a user without an open client."""
        other = self.world[self.dice.choice(["mona", "adi"])].id
        if self.dice.random() < 0.4:
            wanted = [{"name": self.channel()}]
            self.ask(who, "POST", "/users/me/subscriptions", subscriptions=wanted, principals=[other])
        elif self.dice.random() < 0.5:
            self.by_the_owner("DELETE", f"/users/{other}")
        else:
            self.by_the_owner("POST", f"/users/{other}/reactivate")

    def has_a_status(self, who: Someone) -> None:
        parts: list[dict[str, Any]] = [
            {"status_text": "out"}, {"status_text": ""}, {"emoji_name": "house"}, {"emoji_name": ""},
            {"away": True}, {"away": False},
        ]  # fmt: skip
        self.ask(who, "POST", "/users/me/status", **self.dice.choice(parts))

    def is_there(self, who: Someone) -> None:
        self.ask(who, "POST", "/users/me/presence", status="active", ping_only=True)

    def changes_settings(self, who: Someone) -> None:
        settings: list[dict[str, Any]] = [
            {"presence_enabled": self.dice.random() < 0.5}, {"color_scheme": self.dice.randint(1, 3)},
            {"enable_sounds": self.dice.random() < 0.5}, {"full_name": f"Self {len(self.done)}"},
            {RESOLVED_NOTICES: self.dice.choice(["always", "except_followed", "never"])},
            {"timezone": self.dice.choice(["", "Asia/Tokyo"])}, {"default_language": "de"},
        ]  # fmt: skip
        self.ask(who, "PATCH", "/settings", **self.dice.choice(settings))

    def shows_the_address(self, who: Someone) -> None:
        self.ask(who, "PATCH", "/settings", email_address_visibility=self.dice.randint(1, 5))

    def changes_the_picture(self, who: Someone) -> None:
        if self.dice.random() < 0.5:
            files.shows_picture(who, picture(size=(8, 8)))
        else:
            self.ask(who, "DELETE", "/users/me/avatar")

    def fills_a_profile(self, who: Someone) -> None:
        if self.fields:
            data = [{"id": self.dice.choice(self.fields), "value": self.dice.choice(["*a*", "b", ""])}]
            self.by_the_owner("PATCH", f"/users/{who.id}", profile_data=data)

    # -- groups -------------------------------------------------------------------------------------

    def makes_a_group(self, who: Someone) -> None:
        self.ask(
            who, "POST", "/user_groups/create", name=f"group {len(self.done)}", description="",
            members=self.people(2), subgroups=[self.group()], can_join_group=self.value(),
        )  # fmt: skip

    def changes_a_group(self, who: Someone) -> None:
        changes: dict[str, Any] = {self.dice.choice(SETTINGS): {"new": self.value()}}
        if self.dice.random() < 0.4:
            changes["deactivated"] = False
        self.ask(who, "PATCH", f"/user_groups/{self.group()}", **changes)

    def fills_a_group(self, who: Someone) -> None:
        name = self.dice.choice(["add", "delete", "add_subgroups", "delete_subgroups"])
        what = [self.group()] if name.endswith("subgroups") else self.people(1)
        self.ask(who, "POST", f"/user_groups/{self.group()}/members", **{name: what})

    def deactivates_a_group(self, who: Someone) -> None:
        self.ask(who, "POST", f"/user_groups/{self.group()}/deactivate")

    # -- the organization, and personal state -------------------------------------------------------

    def changes_the_configuration(self, who: Someone) -> None:
        number = len(self.done)
        match self.dice.randrange(5):
            case 0:
                made = self.by_the_owner("POST", "/realm/profile_fields", field_type=1, name=f"F{number}")
                self.fields.append(made["id"])
            case 1 if self.fields:
                gone = self.fields.pop(0)
                self.by_the_owner("DELETE", f"/realm/profile_fields/{gone}")
            case 2:
                files.adds_emoji(self.world["olga"], f"cat{number}", picture(size=(8, 8)))
                if self.dice.random() < 0.5:
                    self.by_the_owner("DELETE", f"/realm/emoji/cat{number}")
            case 3:
                one = {"pattern": f"x{number}", "url_template": "https://a.example/"}
                self.by_the_owner("POST", "/realm/filters", **one)
            case _:
                one = {"highlighter_language": "C", "url_template": "https://a.example/{code}"}
                self.by_the_owner("POST", "/realm/playgrounds", name=f"P{number}", **one)

    def mutes_a_user(self, who: Someone) -> None:
        method = self.dice.choice(["POST", "POST", "DELETE"])
        self.ask(who, method, f"/users/me/muted_users/{self.people(1)[0]}")

    def changes_alert_words(self, who: Someone) -> None:
        method = self.dice.choice(["POST", "DELETE"])
        words = [self.dice.choice(["soup", "Soup", "hello"])]
        self.ask(who, method, "/users/me/alert_words", alert_words=words)

    def arranges_views(self, who: Someone) -> None:
        path, fragment = "/navigation_views", self.dice.choice(["inbox", "recent", "feed"])
        match self.dice.randint(0, 2):
            case 0:
                self.ask(who, "POST", path, fragment=fragment, is_pinned=self.dice.random() < 0.5)
            case 1:
                self.ask(who, "PATCH", f"{path}/{fragment}", is_pinned=self.dice.random() < 0.5)
            case _:
                self.ask(who, "DELETE", f"{path}/{fragment}")

    def keeps_a_draft(self, who: Someone) -> None:
        draft = {"type": "", "to": [], "topic": "", "content": f"draft {len(self.done)}"}
        if (made := self.ask(who, "POST", "/drafts", drafts=[draft])) is not None:
            self.drafts += made["ids"]

    def drops_a_draft(self, who: Someone) -> None:
        if self.drafts:
            self.ask(who, "DELETE", f"/drafts/{self.dice.choice(self.drafts)}")

    def exports(self, who: Someone) -> None:
        self.ask(who, "PATCH", "/settings", allow_private_data_export=self.dice.random() < 0.5)
        self.by_the_owner("POST", "/export/realm", export_type=self.dice.choice([1, 2]))
        if self.dice.random() < 0.5:
            write_requested(self.world.svc)
        for export in self.world["olga"].get("/export/realm")["exports"][:1]:
            self.ask(who, "DELETE", f"/export/realm/{export['id']}")

    def saves_a_snippet(self, who: Someone) -> None:
        given = {"title": f"snippet {len(self.done)}", "content": "soup"}
        if (made := self.ask(who, "POST", "/saved_snippets", **given)) is not None:
            self.snippets.append(made["saved_snippet_id"])

    def changes_a_snippet(self, who: Someone) -> None:
        if self.snippets:
            path = f"/saved_snippets/{self.dice.choice(self.snippets)}"
            if self.dice.random() < 0.5:
                self.ask(who, "PATCH", path, content=f"soup {len(self.done)}")
            else:
                self.ask(who, "DELETE", path)

    def schedules_a_message(self, who: Someone) -> None:
        given: dict[str, Any] = {"type": "channel", "to": self.channel_id(), "topic": self.topic()}
        if self.dice.random() < 0.3:
            given = {"type": "direct", "to": self.people(2)}
        due = int(self.world.clock()) + self.dice.randint(1, 100)
        made = self.ask(
            who,
            "POST",
            "/scheduled_messages",
            content=self.text(),
            scheduled_delivery_timestamp=due,
            **given,
        )
        if made is not None:
            self.scheduled.append(made["scheduled_message_id"])

    def changes_a_scheduled_message(self, who: Someone) -> None:
        if not self.scheduled:
            return
        path = f"/scheduled_messages/{self.dice.choice(self.scheduled)}"
        due = int(self.world.clock()) + self.dice.randint(1, 100)
        match self.dice.randrange(3):
            case 0:
                self.ask(who, "PATCH", path, content=self.text(), scheduled_delivery_timestamp=due)
            case 1:
                self.ask(who, "PATCH", path, type="channel", to=self.channel_id(), topic=self.topic())
            case _:
                self.ask(who, "DELETE", path)

    def wants_to_be_reminded(self, who: Someone) -> None:
        if not self.sent:
            return
        due = int(self.world.clock()) + self.dice.randint(1, 100)
        given = {"message_id": self.dice.choice(self.sent), "scheduled_delivery_timestamp": due}
        if (made := self.ask(who, "POST", "/reminders", **given)) is not None:
            self.reminders.append(made["reminder_id"])

    def takes_back_a_reminder(self, who: Someone) -> None:
        if self.reminders:
            self.ask(who, "DELETE", f"/reminders/{self.dice.choice(self.reminders)}")

    def lets_time_pass(self, who: Someone) -> None:
        self.world.clock.advance(self.dice.randint(1, 60))
        deliver_due(self.world.svc)


DEEDS: tuple[Deed, ...] = (
    Chance.says,
    Chance.says,
    Chance.says,
    Chance.writes,
    Chance.edits,
    Chance.edits,
    Chance.moves,
    Chance.moves,
    Chance.loses_what_is_starred,
    Chance.loses_what_is_starred,
    Chance.deletes,
    Chance.flags,
    Chance.flags_a_range,
    Chance.reads,
    Chance.reacts,
    Chance.reacts,
    Chance.votes,
    Chance.is_writing,
    Chance.is_editing,
    Chance.is_editing,
    Chance.sets_a_topic_policy,
    Chance.sets_a_topic_policy,
    Chance.joins,
    Chance.brings,
    Chance.brings,
    Chance.leaves,
    Chance.leaves,
    Chance.joins_and_leaves,
    Chance.sets_properties,
    Chance.makes_a_channel,
    Chance.changes_a_channel,
    Chance.changes_a_channel,
    Chance.changes_a_channel,
    Chance.archives_a_channel,
    Chance.arranges_folders,
    Chance.suggests_channels,
    Chance.suggests_channels,
    Chance.arranges_folders,
    Chance.brings_a_channel_back,
    Chance.brings_a_channel_back,
    Chance.has_to_do_with_an_archived_channel,
    Chance.has_to_do_with_an_archived_channel,
    Chance.deletes_a_topic,
    Chance.is_renamed,
    Chance.gets_another_role,
    Chance.gets_another_role,
    Chance.gets_a_colleague,
    Chance.invites_somebody,
    Chance.comes_and_goes,
    Chance.comes_and_goes,
    Chance.has_a_status,
    Chance.is_there,
    Chance.is_there,
    Chance.changes_settings,
    Chance.changes_settings,
    Chance.shows_the_address,
    Chance.shows_the_address,
    Chance.changes_the_picture,
    Chance.fills_a_profile,
    Chance.makes_a_group,
    Chance.changes_a_group,
    Chance.fills_a_group,
    Chance.fills_a_group,
    Chance.deactivates_a_group,
    Chance.changes_the_configuration,
    Chance.mutes_a_user,
    Chance.changes_alert_words,
    Chance.arranges_views,
    Chance.keeps_a_draft,
    Chance.drops_a_draft,
    Chance.exports,
    Chance.saves_a_snippet,
    Chance.changes_a_snippet,
    Chance.schedules_a_message,
    Chance.schedules_a_message,
    Chance.changes_a_scheduled_message,
    Chance.wants_to_be_reminded,
    Chance.takes_back_a_reminder,
    Chance.lets_time_pass,
)
