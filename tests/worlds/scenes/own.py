"""Scenes about users' own objects: settings, presence, pictures, words, drafts and files."""

from chatcore.application.archives.working import write_requested
from chatcore.application.scheduled.delivery import deliver_due
from tests.worlds import files
from tests.worlds.pictures import picture
from tests.worlds.scenes.stage import Stage


class OnesOwn(Stage):
    """Scenes about users' own objects; others are notified of changes that concern them."""

    def settings(self) -> None:
        for who in (self.ada, self.gus):
            who.patch("/settings", timezone="Asia/Tokyo", color_scheme=2, enable_sounds=False)
            who.patch("/settings", default_language="de", full_name=f"{who.name} the Small")

    def people_show_their_addresses(self) -> None:
        for visibility in (1, 2, 3, 4, 5):
            self.cem.patch("/settings", email_address_visibility=visibility)

    def people_hide_their_addresses(self) -> None:
        for visibility in (4, 3, 2, 1, 4):
            self.cem.patch("/settings", email_address_visibility=visibility)

    def people_are_there(self) -> None:
        for who in (self.olga, self.ada, self.cem, self.gus):
            who.post("/users/me/presence", status="active")
        self.bea.post("/users/me/presence", status="idle")

    def people_hide(self) -> None:
        self.ada.patch("/settings", presence_enabled=False)
        self.ada.patch("/settings", presence_enabled=True)

    def people_write(self) -> None:
        for op in ("start", "stop"):
            self.ada.post("/typing", op=op, type="channel", stream_id=self.world.id("secret"), topic="a")

    def people_write_to_people(self) -> None:
        for op in ("start", "stop"):
            self.ada.post("/typing", op=op, to=[self.gus.id, self.bea.id, self.cem.id])

    def people_edit(self) -> None:
        sent = [self.ada.says("hush", name) for name in ("lunch", "secret", "vault")]
        for message_id in (*sent, self.ada.writes("hush", "bea", "gus")):
            for op in ("start", "stop"):
                self.ada.post(f"/messages/{message_id}/typing", op=op)

    def people_have_pictures(self) -> None:
        for who in (self.ada, self.bea, self.robo):
            files.shows_picture(who, picture())

    def people_have_none_any_more(self) -> None:
        for who in (self.ada, self.bea, self.robo):
            who.delete("/users/me/avatar")

    def alert_words(self) -> None:
        for who in (self.ada, self.gus):
            who.post("/users/me/alert_words", alert_words=["hush", "fire"])
            who.delete("/users/me/alert_words", alert_words=["FIRE"])

    def people_are_muted(self) -> None:
        """Mute users with unread messages; later messages from them are read on arrival."""
        self.ada.writes("hush", "cem")
        self.ada.says("@**Cem**: hush", "vault")
        self.cem.post(f"/users/me/muted_users/{self.ada.id}")
        self.cem.post(f"/users/me/muted_users/{self.olga.id}")
        self.ada.writes("hush", "cem", "gus")
        self.ada.says("@**Cem**: hush", "vault")
        self.cem.delete(f"/users/me/muted_users/{self.olga.id}")

    def channels_are_muted(self) -> None:
        self.bea.says("@**all** and @**Cem**", "lunch")
        for who, names in ((self.cem, {"lunch": True, "vault": False}), (self.gus, {"lunch": True})):
            data = [
                {"stream_id": self.world.id(name), "property": "is_muted", "value": value}
                for name, value in names.items()
            ]
            data.append({"stream_id": self.world.id("lunch"), "property": "color", "value": "#ABC"})
            who.post("/users/me/subscriptions/properties", subscription_data=data)

    def views_are_added(self) -> None:
        self.ada.post("/navigation_views", fragment="inbox", is_pinned=False)
        self.ada.post("/navigation_views", fragment="narrow/is/dm", is_pinned=True, name="hush")

    def views_are_changed(self) -> None:
        self.ada.patch("/navigation_views/inbox", is_pinned=True)
        self.ada.patch("/navigation_views/narrow/is/dm", name="hush, hush")

    def a_view_is_removed(self) -> None:
        self.ada.delete("/navigation_views/narrow/is/dm")

    def a_step_is_seen(self) -> None:
        for who in (self.ada, self.gus):
            who.post("/users/me/onboarding_steps", onboarding_step="intro_inbox_view_modal")

    def drafts_are_made(self) -> None:
        drafts = [
            {"type": "private", "to": [self.bea.id], "topic": "", "content": "hush"},
            {"type": "", "to": [], "topic": "", "content": "hush"},
        ]
        self.made["drafts"] = self.ada.post("/drafts", drafts=drafts)["ids"]

    def a_draft_is_changed(self) -> None:
        draft = {"type": "stream", "to": [self.world.id("secret")], "topic": "today", "content": "hush, hush"}
        self.ada.patch(f"/drafts/{self.made['drafts'][0]}", draft=draft)

    def a_draft_is_removed(self) -> None:
        self.ada.delete(f"/drafts/{self.made['drafts'][1]}")

    def people_consent_to_exports(self) -> None:
        self.bea.patch("/settings", allow_private_data_export=True)

    def the_organization_is_exported(self) -> None:
        self.olga.post("/export/realm", export_type=2)
        write_requested(self.world.svc)

    def snippets_are_saved(self) -> None:
        self.made["snippets"] = [
            self.ada.post("/saved_snippets", title=title, content="hush")["saved_snippet_id"]
            for title in ("one", "two")
        ]

    def a_snippet_is_changed(self) -> None:
        self.ada.patch(f"/saved_snippets/{self.made['snippets'][0]}", content="hush, hush")

    def a_snippet_is_removed(self) -> None:
        self.ada.delete(f"/saved_snippets/{self.made['snippets'][1]}")

    def messages_are_scheduled(self) -> None:
        now = int(self.world.clock())
        self.made["scheduled"] = [
            who.post("/scheduled_messages", scheduled_delivery_timestamp=now + seconds, **given)[
                "scheduled_message_id"
            ]
            for who, seconds, given in (
                (self.ada, 60, {"type": "channel", "to": self.world.id("secret"), "topic": "today"}),
                (self.ada, 30, {"type": "direct", "to": [self.gus.id, self.bea.id]}),
                (self.bea, 90, {"type": "channel", "to": self.world.id("secret"), "topic": "today"}),
            )
            for given in [{**given, "content": "hush, @**Cem**"}]
        ]

    def a_scheduled_message_is_changed(self) -> None:
        path = f"/scheduled_messages/{self.made['scheduled'][0]}"
        self.ada.patch(path, topic="later", content="hush, @**Bea**")

    def a_scheduled_message_is_taken_back(self) -> None:
        self.ada.delete(f"/scheduled_messages/{self.made['scheduled'][1]}")

    def time_has_come(self) -> None:
        self.world.clock.advance(61)
        deliver_due(self.world.svc)

    def a_message_cannot_be_sent_in_time(self) -> None:
        """Bea loses the channel to which she wanted to write."""
        self.bea.leaves("secret")
        self.world.clock.advance(61)
        deliver_due(self.world.svc)
        self.ada.joins("secret", principals=[self.bea.id])

    def people_want_to_be_reminded(self) -> None:
        self.made["hush"] = self.ada.says("hush", "lunch")
        for who, seconds in ((self.ada, 60), (self.bea, 60), (self.bea, 90), (self.ada, 90)):
            due = int(self.world.clock()) + seconds
            given = {"message_id": self.made["hush"], "scheduled_delivery_timestamp": due, "note": "hush"}
            self.made["reminder"] = who.post("/reminders", **given)["reminder_id"]

    def people_are_reminded(self) -> None:
        """One reminder is deleted, and one cannot be delivered any more."""
        self.ada.delete(f"/reminders/{self.made['reminder']}")
        self.world.clock.advance(61)
        deliver_due(self.world.svc)
        self.olga.delete(f"/messages/{self.made['hush']}")
        self.world.clock.advance(61)
        deliver_due(self.world.svc)

    def files_are_uploaded(self) -> None:
        self.made["file"] = files.uploads(self.ada, b"soup", "hush.txt")["url"]
        files.uploads(self.gus, b"soup", "hush.txt")

    def a_file_is_shown(self) -> None:
        self.ada.says(f"[hush]({self.made['file']})", "secret")

    def a_file_is_removed(self) -> None:
        (attachment,) = files.attachments(self.ada)
        self.ada.delete(f"/attachments/{attachment['id']}")
