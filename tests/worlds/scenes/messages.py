"""Scenes that change sent messages."""

from tests.worlds.scenes.stage import Stage


class Changes(Stage):
    """Scenes in all kinds of channels."""

    def messages_are_edited(self) -> None:
        self.made["changing"] = []
        for channel in ("lunch", "vault", "secret", "plaza"):
            sent = [
                self.ada.says(text, channel, "hot") for text in ("hush", "@**Gus** hush", "@**all** hush")
            ]
            for message_id, text in zip(sent, ("@**all** and @**Gus**: hush", "hush", "hush"), strict=True):
                self.ada.patch(f"/messages/{message_id}", content=text)
            for who in (self.gus, self.cem):
                who.request("POST", "/messages/flags", messages=sent[:2], op="add", flag="starred")
            self.made["changing"].append(sent)
        direct = self.ada.writes("hush", "gus", "bea")
        self.ada.patch(f"/messages/{direct}", content="@**Bea**: hush")

    def messages_are_edited_again(self) -> None:
        for first, second, _ in self.made["changing"]:
            self.ada.patch(f"/messages/{first}", content="hush")
            self.ada.patch(f"/messages/{second}", content="@**Gus**, @**Bea**: hush")

    def topics_are_moved(self) -> None:
        for who in (self.ada, self.gus, self.cem):
            for channel in ("lunch", "vault"):
                where = {"stream_id": self.world.id(channel), "topic": "hot"}
                who.request("POST", "/user_topics", **where, visibility_policy=3)
        for _, second, third in self.made["changing"]:
            self.ada.patch(f"/messages/{second}", topic="Hot")
            self.ada.patch(f"/messages/{third}", topic="cold", propagate_mode="change_later")
            self.ada.patch(f"/messages/{third}", topic="✔ cold", propagate_mode="change_all")
        # In channels with protected history, some users have only the part of a topic after the named
        # message.
        self.ada.says("soup", "vault", "before")
        change = {"content": "hush", "topic": "after"}
        self.ada.patch(f"/messages/{self.made['before']}", **change, propagate_mode="change_all")

    def topics_are_resolved(self) -> None:
        """Resolve topics: the notice is unread for bea, but for gus and cem only if they follow the topic."""
        for channel, follower in (("cellar", self.gus), ("vault", self.cem), ("cellar", self.olga)):
            topic = f"solved for {follower.name}"
            solved = self.ada.says("hush", channel, topic)
            follower.post("/user_topics", stream_id=self.world.id(channel), topic=topic, visibility_policy=3)
            self.ada.patch(f"/messages/{solved}", topic=f"✔ {topic}", propagate_mode="change_all")

    def messages_are_moved_between_channels(self) -> None:
        """Move messages from each kind of channel to another one."""
        channels = ("vault", "secret", "plaza", "lunch")
        for (first, _, third), channel in zip(self.made["changing"], channels, strict=True):
            where = {"stream_id": self.world.id(channel), "send_notification_to_old_thread": True}
            self.ada.patch(f"/messages/{first}", **where, propagate_mode="change_all")
            self.ada.patch(f"/messages/{third}", **where, topic="warm")

    def messages_are_deleted(self) -> None:
        for sent in self.made["changing"]:
            for message_id in sent:
                self.olga.request("DELETE", f"/messages/{message_id}")
                self.ada.request("DELETE", f"/messages/{message_id}")

    def a_direct_message_is_deleted(self) -> None:
        """Delete a direct message, but not the newest: no event names the next newest of the conversation."""
        sent = self.ada.writes("hush", "gus")
        self.ada.writes("hush", "gus")
        self.ada.delete(f"/messages/{sent}")
