"""Scenes about users' own objects: settings, presence, pictures, words, drafts and files."""

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

    def files_are_uploaded(self) -> None:
        self.made["file"] = files.uploads(self.ada, b"soup", "hush.txt")["url"]
        files.uploads(self.gus, b"soup", "hush.txt")

    def a_file_is_shown(self) -> None:
        self.ada.says(f"[hush]({self.made['file']})", "secret")

    def a_file_is_removed(self) -> None:
        (attachment,) = files.attachments(self.ada)
        self.ada.delete(f"/attachments/{attachment['id']}")
