"""Scenes in an organization with all kinds of viewers."""

import json
from typing import Any

from chatcore.application.events.restarts import note_start
from chatcore.application.groups.system_members import announce_new_full_members
from chatcore.application.organization.deactivation import reactivate_organization
from chatcore.application.organization.founding import allow_public_access
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.application.people.credentials import renew_key
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.organization.organization import ServerStart
from chatcore.domain.roles import Role
from tests.worlds import files
from tests.worlds.groups import deactivates, fills, just, makes, patches
from tests.worlds.images import make_thumbnails, shows_image, thumbnails_wait
from tests.worlds.organization import NOW, basic, succeeded
from tests.worlds.pictures import animation, picture
from tests.worlds.scenes.accounts import Accounts
from tests.worlds.scenes.channels import Channels
from tests.worlds.scenes.messages import Changes
from tests.worlds.scenes.own import OnesOwn


class Scene(OnesOwn, Changes, Channels, Accounts):
    """All scenes."""

    # -- messages -----------------------------------------------------------------------------------

    def messages_in_channels(self) -> None:
        for channel in ("lunch", "secret", "vault", "plaza"):
            self.ada.says("hush", channel)
            self.ada.says("@**all**, @**Gus** and @*cooks*: hush", channel, "called")
        self.ada.says("hush", topic="")

    def direct_messages(self) -> None:
        self.ada.writes("hush", "bea")
        self.bea.writes("hush", "ada", "cem", "gus")
        self.ada.writes("hush", "ada")
        self.made["starred"] = self.cem.writes("hush", "olga", read_by_sender=False)

    def a_direct_message_between_strangers(self) -> None:
        self.cem.writes("hush", "gus")

    def a_bot_is_called(self) -> None:
        """Mention a bot in channels to which it is not subscribed, alone and beside wildcard mentions."""
        for channel in ("secret", "plaza"):
            self.ada.says("@**Robo**", channel)
            self.ada.says("@**Robo**, @**all** and @**topic**", channel)

    def a_channel_wakes_up(self) -> None:
        self.ada.says("is anybody here?", "cellar")

    def a_topic_is_followed(self) -> None:
        self.cem.says("hush", "plaza", "my own")

    def people_react(self) -> None:
        sent = [
            self.ada.says("hush"),
            self.ada.says("hush", "secret", "newest"),
            self.ada.writes("hush", "bea", "cem", "gus"),
        ]
        for who in (self.ada, self.bea, self.cem, self.gus):
            for message_id in sent:
                who.request("POST", f"/messages/{message_id}/reactions", emoji_name="tada")
        self.ada.delete(f"/messages/{sent[0]}/reactions", emoji_name="tada")

    def people_vote(self) -> None:
        sent = [
            self.ada.says("/poll hush?\nyes\nno"),
            self.ada.says("/poll hush?", "secret", "newest"),
            self.ada.writes("/todo hush", "bea", "cem", "gus"),
        ]
        vote = {"type": "vote", "key": "canned,0", "vote": 1}
        for who in (self.ada, self.bea, self.cem, self.gus):
            for message_id in sent:
                who.request(
                    "POST", "/submessage", message_id=message_id, msg_type="widget", content=json.dumps(vote)
                )

    # -- flags --------------------------------------------------------------------------------------

    def read_and_starred(self) -> None:
        for who in (self.gus, self.bea, self.cem):
            messages = [one["id"] for one in who.reads()][-6:]
            who.flagged("read", *messages)
            who.flagged("starred", *messages[:3])

    def unread_again(self) -> None:
        for who in (self.gus, self.bea, self.cem):
            messages = [one["id"] for one in who.reads("is:starred")]
            who.flagged("read", *messages, op="remove")
            who.flagged("starred", *messages[1:], op="remove")

    def a_topic_is_read(self) -> None:
        self.ada.says("hush", "vault", "long")
        self.cem.post("/mark_topic_as_read", stream_id=self.world.id("vault"), topic_name="LONG")

    def a_channel_is_read(self) -> None:
        self.gus.post("/mark_stream_as_read", stream_id=self.world.id("lunch"))

    def everything_is_read(self) -> None:
        self.cem.post("/mark_all_as_read")

    # -- topics -------------------------------------------------------------------------------------

    def topic_policies(self) -> None:
        for who in (self.ada, self.gus):
            for topic, policy in (("called", 1), ("today", 3), ("", 2)):
                self._sets_policy(who, topic, policy)

    def topic_policies_are_taken_back(self) -> None:
        self._sets_policy(self.gus, "CALLED", 0)
        self._sets_policy(self.ada, "today", 1)

    def _sets_policy(self, who: Any, topic: str, policy: int) -> None:
        where = {"stream_id": self.world.id("lunch"), "topic": topic}
        who.post("/user_topics", **where, visibility_policy=policy)

    # -- channels -----------------------------------------------------------------------------------

    def people_join(self) -> None:
        self.cem.joins("lunch", "plaza")
        self.olga.joins("lunch")

    def people_are_brought_into_private_channels(self) -> None:
        self.ada.joins("secret", "vault", principals=[self.bea.id, self.gus.id])

    def people_leave(self) -> None:
        self.cem.leaves("plaza")
        self.gus.leaves("lunch", "secret", "vault")
        self.bea.leaves("secret")

    def one_who_left_comes_back(self) -> None:
        self.ada.joins("lunch", "secret", principals=[self.bea.id, self.gus.id])

    def channels_are_made(self) -> None:
        self.ada.joins("garden", topics_policy="disable_empty_topic", description="hush **it**")
        self.ada.joins("hush shed", invite_only=True)
        who = [self.gus.id, self.bea.id]
        self.ada.joins("hush cellar", invite_only=True, history_public_to_subscribers=True, principals=who)
        self.olga.joins("agora", is_web_public=True)

    # -- users --------------------------------------------------------------------------------------

    def accounts_are_made(self) -> None:
        for name, role in (("dan", Role.MEMBER), ("dot", Role.GUEST), ("max", Role.MODERATOR)):
            create_user(self.world.svc, NewUser(email=f"{name}@example.org", full_name=name, role=role))

    def a_bot_is_made(self) -> None:
        owner = self.world.users["ada"].id
        new = NewUser(email="echo@example.org", full_name="Echo", is_bot=True, bot_owner_id=owner)
        create_user(self.world.svc, new)

    def bots_are_made_by_people(self) -> None:
        service = {"bot_type": 3, "payload_url": "https://bots.example.com/"}
        where = {"default_sending_stream": "lunch", "default_all_public_streams": True}
        program = {"bot_type": 4, "service_name": "converter", "config_data": {"unit": "km"}}
        for name, given in (("caller", {**service, **where}), ("converter", program)):
            made = self.world["ada"].post("/bots", full_name=name.title(), short_name=name, **given)
            self.made[name] = made["user_id"]

    def bots_are_changed(self) -> None:
        caller, where = f"/bots/{self.made['caller']}", {"default_events_register_stream": "lunch"}
        self.world["ada"].patch(caller, default_sending_stream="", full_name="Phone", **where)
        self.world["olga"].patch(caller, service_payload_url="http://bots.example.com/", service_interface=2)
        self.world["ada"].post(f"{caller}/api_key/regenerate")
        self.world["ada"].patch(f"/bots/{self.made['converter']}", config_data={"unit": "mile"})

    def bots_are_given_away(self) -> None:
        for name in ("adi", "bea"):
            self.world["ada"].patch(f"/bots/{self.made['caller']}", bot_owner_id=self.world[name].id)
            self.world[name].patch(f"/bots/{self.made['caller']}", bot_owner_id=self.world["ada"].id)

    def a_bot_is_deactivated(self) -> None:
        self.world["ada"].delete(f"/bots/{self.made['converter']}")

    def a_bot_gets_another_key(self) -> None:
        renew_key(self.world.svc, "echo@example.org")

    def people_are_renamed(self) -> None:
        for name in ("bea", "gus", "robo"):
            self._changes(name, full_name=f"{name.title()} the Great")

    def addresses_are_changed(self) -> None:
        for name in ("ada", "bea", "cem", "mona", "adi", "robo"):
            self._changes(name, new_email=f"new-{name}@example.org")
            self.world[name].headers["Authorization"] = basic(
                f"new-{name}@example.org", self.world.keys[name]
            )

    def a_member_becomes_a_guest(self) -> None:
        self._changes("cem", role=int(Role.GUEST))

    def a_guest_becomes_a_member(self) -> None:
        self._changes("cem", role=int(Role.MEMBER))
        self._changes("gus", role=int(Role.MEMBER))

    def a_member_becomes_an_administrator(self) -> None:
        self._changes("bea", role=int(Role.ADMINISTRATOR))

    def an_administrator_becomes_a_moderator(self) -> None:
        self._changes("bea", role=int(Role.MODERATOR))

    def everybody_is_as_before(self) -> None:
        self._changes("bea", role=int(Role.MEMBER))
        self._changes("gus", role=int(Role.GUEST))

    def _changes(self, name: str, **changes: Any) -> None:
        self.olga.patch(f"/users/{self.world[name].id}", **changes)

    def statuses(self) -> None:
        self.ada.post("/users/me/status", status_text="out", emoji_name="house")
        self.gus.post("/users/me/status", status_text="in", away=True)
        self.cem.post("/users/me/status", away=True)

    def statuses_are_cleared(self) -> None:
        self.ada.post("/users/me/status", status_text="")
        self.gus.post("/users/me/status", status_text="", away=False)
        self.cem.post("/users/me/status", away=False)

    # -- groups -------------------------------------------------------------------------------------

    def a_group_is_made(self) -> None:
        self.made["staff"] = makes(
            self.ada, "staff", self.cem, self.olga, can_join_group=just(self.bea, self.cem)
        )

    def a_group_is_changed(self) -> None:
        patches(self.ada, self.made["staff"], name="crew", can_leave_group={"new": just(self.gus, self.olga)})

    def people_and_groups_join_a_group(self) -> None:
        fills(self.ada, self.made["staff"], add=[self.gus.id, self.bea.id])
        fills(self.ada, self.made["staff"], add_subgroups=[self.made["waiters"]])

    def people_and_groups_leave_a_group(self) -> None:
        fills(self.ada, self.made["staff"], delete=[self.cem.id], delete_subgroups=[self.made["waiters"]])

    def a_group_is_deactivated(self) -> None:
        deactivates(self.ada, self.made["staff"])

    def a_group_is_reactivated(self) -> None:
        patches(self.ada, self.made["staff"], deactivated=False)

    def a_group_opens_a_channel(self) -> None:
        fills(self.ada, self.made["cooks"], add_subgroups=[self.made["waiters"]], add=[self.cem.id])

    def a_group_closes_a_channel(self) -> None:
        fills(self.ada, self.made["cooks"], delete_subgroups=[self.made["waiters"]], delete=[self.cem.id])

    def members_have_waited(self) -> None:
        self.world.change_organization(waiting_period_threshold=61)
        self.world.storage.write(lambda tx: announce_new_full_members(tx, NOW))

    # -- the organization ---------------------------------------------------------------------------

    def profile_fields_are_made(self) -> None:
        self.made["field"] = self.olga.post("/realm/profile_fields", field_type=1, name="Food")["id"]
        people = self.olga.post("/realm/profile_fields", field_type=6, name="Cooks with")["id"]
        self.made["people field"] = people

    def profiles_are_filled(self) -> None:
        for name in ("ada", "gus"):
            data = [
                {"id": self.made["field"], "value": "*hush*"},
                {"id": self.made["people field"], "value": [self.ada.id]},
            ]
            self._changes(name, profile_data=data)
        self._changes("gus", profile_data=[{"id": self.made["field"], "value": ""}])

    def profile_fields_are_changed(self) -> None:
        self.olga.patch(f"/realm/profile_fields/{self.made['field']}", name="Soup")
        self.olga.patch("/realm/profile_fields", order=[self.made["people field"], self.made["field"]])

    def a_profile_field_is_removed(self) -> None:
        self.olga.delete(f"/realm/profile_fields/{self.made['field']}")

    def emoji_are_made(self) -> None:
        files.adds_emoji(self.ada, "mew", animation())
        files.adds_emoji(self.ada, "wuff", picture())

    def an_emoji_is_removed(self) -> None:
        self.ada.delete("/realm/emoji/mew")

    def the_web_is_kept_out(self) -> None:
        allow_public_access(self.world.svc, allowed=False)

    def the_web_is_let_in(self) -> None:
        allow_public_access(self.world.svc)

    def the_organization_changes(self) -> None:
        few = {"new": {"direct_members": [self.ada.id, self.bea.id], "direct_subgroups": []}}
        members = {"new": SystemGroup.MEMBERS.group_id}
        self.olga.patch("/realm", default_language="de", mandatory_topics=True, can_create_groups=few)
        self.olga.patch("/realm", mandatory_topics=False, can_create_groups=members)
        self.olga.post("/realm/domains", domain="mail.example", allow_subdomains=False)
        self.olga.post("/realm/domains", domain="other.example", allow_subdomains=False)
        self.olga.patch("/realm/domains/mail.example", allow_subdomains=True)
        self.olga.delete("/realm/domains/other.example")
        self.olga.patch("/realm/user_settings_defaults", enter_sends=True, twenty_four_hour_time=None)

    def the_organization_shows_pictures(self) -> None:
        body = files.form(files.part(picture(), "a.png"))
        succeeded(files.send_form(self.olga, body, path="/realm/icon"))
        succeeded(files.send_form(self.olga, body, path="/realm/logo", query={"night": "true"}))

    def an_image_is_loaded(self) -> None:
        with thumbnails_wait(self.world):
            url = shows_image(self.ada)
            for channel in ("lunch", "vault", "secret", "plaza"):
                self.ada.says(f"@**Gus** [x]({url})", channel)
            self.ada.writes(f"[x]({url})", "gus")
        make_thumbnails(self.world)

    def the_organization_rests(self) -> None:
        self.olga.post("/realm/deactivate")
        reactivate_organization(self.world.svc)

    def another_version_starts(self) -> None:
        self.world.change_organization(served_by=ServerStart("1.0", 1, at=1))
        note_start(self.world.svc)

    def linkifiers(self) -> None:
        pattern = {"pattern": "#(?P<id>[0-9]+)", "url_template": "https://a.example/{id}"}
        made = self.olga.post("/realm/filters", **pattern)["id"]
        self.olga.patch(f"/realm/filters/{made}", pattern="#x(?P<id>[0-9]+)", url_template="https://b/{id}")

    def playgrounds(self) -> None:
        body = {"name": "P", "highlighter_language": "C", "url_template": "https://a.example/{code}"}
        made = self.olga.post("/realm/playgrounds", **body)["id"]
        self.olga.post("/realm/playgrounds", **{**body, "name": "Q"})
        self.olga.delete(f"/realm/playgrounds/{made}")
