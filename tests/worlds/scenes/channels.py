"""Scenes that change existing channels."""

from typing import Any

from tests.worlds.groups import NOBODY, just
from tests.worlds.scenes.stage import Stage


class Channels(Stage):
    """Scenes for channels of all kinds."""

    def channels_are_changed(self) -> None:
        self._sets_policies()
        self.olga.patch(self._path("lunch"), description="hush **it**", new_name="Lunch")
        self.olga.patch(self._path("lunch"), new_name="lunch", message_retention_days="unlimited")
        self.olga.patch(self._path("garden"), topics_policy="allow_empty_topic")
        self.ada.patch(self._path("garden"), can_send_message_group={"new": 2})
        self.ada.patch(self._path("garden"), can_send_message_group={"new": just(self.bea, self.gus)})

    def _sets_policies(self) -> None:
        for who in (self.gus, self.bea):
            for topic in ("hot", "channel events"):
                where = {"stream_id": self.world.id("lunch"), "topic": topic}
                who.post("/user_topics", **where, visibility_policy=1)

    def channels_become_private(self) -> None:
        self.olga.patch(self._path("lunch"), is_private=True, history_public_to_subscribers=True)
        self.ada.patch(self._path("garden"), is_private=True)
        self.olga.patch(self._path("agora"), is_private=True)

    def channels_are_opened(self) -> None:
        self.olga.patch(self._path("lunch"), is_private=False)
        self.ada.patch(self._path("garden"), is_private=False)
        self.olga.patch(self._path("agora"), is_private=False, is_web_public=True)

    def groups_come_to_see_a_channel(self) -> None:
        """Make a channel visible to groups, and hide it again."""
        for name in ("can_administer_channel_group", "can_subscribe_group"):
            seen_by = {"new": just(self.bea, groups=(self.made["cooks"],))}
            self.ada.patch(self._path("hush shed"), **{name: seen_by})
        self.ada.patch(self._path("hush shed"), can_subscribe_group={"new": NOBODY})

    def there_are_default_channels(self) -> None:
        for name in ("garden", "lunch", "plaza"):
            self.olga.post("/default_streams", stream_id=self.world.id(name))
        self.olga.delete("/default_streams", stream_id=self.world.id("plaza"))
        given: dict[str, Any] = {"subscribers": [self.gus.id], "is_default_stream": True}
        made = self.olga.post("/channels/create", name="hush hall", **given)["id"]
        self.made["hall"] = made

    def there_are_default_groups(self) -> None:
        given = {"description": "hush", "stream_names": ["agora"]}
        self.made["group"] = self.olga.post("/default_stream_groups/create", group_name="Music", **given)[
            "group_id"
        ]
        path = f"/default_stream_groups/{self.made['group']}"
        self.olga.patch(path, new_group_name="Noise")
        self.olga.patch(f"{path}/streams", op="add", stream_names=["plaza"])

    def folders_are_made(self) -> None:
        for name in ("hush", "open"):
            made = self.olga.post("/channel_folders/create", name=name, description="*hush*")
            self.made[f"{name} folder"] = made["channel_folder_id"]
        self.olga.patch(self._path("lunch"), folder_id=self.made["open folder"])
        self.ada.joins("hush pit", invite_only=True, folder_id=self.made["open folder"])

    def folders_are_changed(self) -> None:
        self.olga.patch(f"/channel_folders/{self.made['open folder']}", name="wide", description="**hush**")
        self.olga.patch(f"/channel_folders/{self.made['hush folder']}", is_archived=True)
        self.olga.patch(self._path("lunch"), folder_id="null")

    def folders_are_reordered(self) -> None:
        order = [self.made["open folder"], self.made["hush folder"]]
        self.olga.patch("/channel_folders", order=order)

    def channels_are_archived(self) -> None:
        self.ada.says("hush", "lunch")
        for name in ("lunch", "hush cellar", "plaza"):
            self.olga.delete(self._path(name))

    def people_do_something_about_archived_channels(self) -> None:
        self.gus.leaves("lunch")
        self.ada.joins("lunch", principals=[self.gus.id])
        self.olga.patch(self._path("lunch"), description="hush", is_private=True)
        self.olga.patch(self._path("lunch"), new_name="hush lunch")
        for who in (self.gus, self.bea):
            messages = [one["id"] for one in who.reads("channel:hush lunch")][-2:]
            who.flagged("read", *messages, op="remove")
            where = {"stream_id": self.world.id("lunch"), "topic": "archive"}
            who.request("POST", "/user_topics", **where, visibility_policy=1)
            mine = {"stream_id": self.world.id("lunch"), "value": True}
            data = [{**mine, "property": name} for name in ("is_muted", "pin_to_top")]
            who.request("POST", "/users/me/subscriptions/properties", subscription_data=data)
        self.olga.patch(self._path("lunch"), new_name="lunch")

    def channels_come_back(self) -> None:
        for name in ("lunch", "hush cellar", "plaza"):
            self.olga.patch(self._path(name), is_archived=False)
        self.olga.patch(self._path("lunch"), is_private=False)

    def a_topic_is_deleted(self) -> None:
        for name in ("lunch", "vault"):
            where = {"stream_id": self.world.id(name), "topic": "long"}
            self.ada.says("hush", name, "long")
            self.ada.says("hush", name, "Long")
            self.ada.post("/user_topics", **where, visibility_policy=3)
        self.olga.post(f"{self._path('lunch')}/delete_topic", topic_name="LONG")

    def _path(self, channel: str) -> str:
        return f"/streams/{self.world.id(channel)}"
