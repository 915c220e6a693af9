"""Random writing, reading and changing of messages."""

import json
from typing import Any

from tests.worlds.organization import Someone
from tests.worlds.scenes.dice import Dice


class Talk(Dice):
    def says(self, who: Someone) -> None:
        answer = self.ask(
            who, "POST", "/messages", type="channel", to=self.channel(), content=self.text(),
            topic=self.topic(), read_by_sender=self.dice.random() < 0.5,
        )  # fmt: skip
        if answer is not None:
            self.sent.append(answer["id"])
            self.in_channels.append(answer["id"])

    def writes(self, who: Someone) -> None:
        answer = self.ask(who, "POST", "/messages", type="direct", to=self.people(3), content="hello")
        if answer is not None:
            self.sent.append(answer["id"])

    def flags(self, who: Someone) -> None:
        some = self.dice.sample(self.sent, min(len(self.sent), 3))
        self.ask(who, "POST", "/messages/flags", messages=some, **self.flag())

    def flags_a_range(self, who: Someone) -> None:
        narrow = self.dice.choice([[], [["is", "unread"]], [["channel", "lunch"]], [["is", "dm"]]])
        window = {"anchor": "newest", "num_before": self.dice.randrange(5), "num_after": 0}
        self.ask(who, "POST", "/messages/flags/narrow", narrow=narrow, **window, **self.flag())

    def reads(self, who: Someone) -> None:
        requests: list[tuple[str, dict[str, Any]]] = [
            ("/mark_all_as_read", {}),
            ("/mark_stream_as_read", {"stream_id": self.channel_id()}),
            ("/mark_topic_as_read", {"stream_id": self.channel_id(), "topic_name": self.topic()}),
        ]
        path, parameters = self.dice.choice(requests)
        self.ask(who, "POST", path, **parameters)

    def reacts(self, who: Someone) -> None:
        if self.sent:
            path = f"/messages/{self.dice.choice(self.sent)}/reactions"
            self.ask(who, self.dice.choice(["POST", "POST", "DELETE"]), path, emoji_name="tada")

    def votes(self, who: Someone) -> None:
        """Add a submessage to a message, which may be a poll."""
        if self.sent:
            content = json.dumps({"type": "vote", "key": "canned,0", "vote": 1})
            chosen = self.dice.choice(self.sent)
            self.ask(who, "POST", "/submessage", message_id=chosen, msg_type="widget", content=content)

    def is_writing(self, who: Someone) -> None:
        where: dict[str, Any] = {"to": self.people(3)}
        if self.dice.random() < 0.5:
            where = {"type": "channel", "stream_id": self.channel_id(), "topic": self.topic()}
        self.ask(who, "POST", "/typing", op="start", **where)

    def is_editing(self, who: Someone) -> None:
        if self.sent:
            self.ask(who, "POST", f"/messages/{self.dice.choice(self.sent)}/typing", op="start")

    def sets_a_topic_policy(self, who: Someone) -> None:
        where = {"stream_id": self.channel_id(), "topic": self.topic()}
        self.ask(who, "POST", "/user_topics", **where, visibility_policy=self.dice.randrange(4))

    def edits(self, who: Someone) -> None:
        if self.sent:
            self.ask(who, "PATCH", f"/messages/{self.dice.choice(self.sent)}", content=self.text())

    def moves(self, who: Someone) -> None:
        if not self.in_channels:
            return
        to: dict[str, Any] = {"topic": self.dice.choice([self.topic(), "✔ a", "✔ b"])}
        if self.dice.random() < 0.6:
            to["stream_id"] = self.channel_id()
        mode = self.dice.choice(["change_one", "change_later", "change_all"])
        path = f"/messages/{self.dice.choice(self.in_channels)}"
        self.ask(who, "PATCH", path, propagate_mode=mode, **to)

    def loses_what_is_starred(self, who: Someone) -> None:
        """Move a starred message to a channel that the user leaves or that becomes private, and change it
        there.
        """
        if not self.in_channels:
            return
        message_id = self.dice.choice(self.in_channels)
        self.ask(who, "POST", "/messages/flags", messages=[message_id], op="add", flag="starred")
        for where in self.dice.sample(["secret", "vault", self.channel()], 2):
            to = {"stream_id": self.world.id(where), "propagate_mode": "change_one"}
            mover = self.dice.choice([self.world["ada"], self.world["olga"], self.world["bea"]])
            self.ask(mover, "PATCH", f"/messages/{message_id}", **to)
            if self.dice.random() < 0.7:
                self.ask(who, "DELETE", "/users/me/subscriptions", subscriptions=[where])
            if self.dice.random() < 0.3:
                self.by_the_owner("PATCH", f"/streams/{to['stream_id']}", is_private=True)
        remover = self.dice.choice([self.world["ada"], self.world["olga"]])
        if self.dice.random() < 0.5 and self.ask(remover, "DELETE", f"/messages/{message_id}") is not None:
            self.sent.remove(message_id)
            self.in_channels.remove(message_id)

    def deletes(self, who: Someone) -> None:
        """Delete a channel message. After deletion of a direct one no event names the conversation's newest
        message.
        """
        if not self.in_channels:
            return
        message_id = self.dice.choice(self.in_channels)
        if self.ask(who, "DELETE", f"/messages/{message_id}") is not None:
            self.sent.remove(message_id)
            self.in_channels.remove(message_id)
