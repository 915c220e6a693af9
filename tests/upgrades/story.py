"""What is in the organization of each dump. It is told over HTTP, to a server of any version."""

import json
import time
import urllib.request
from base64 import b64encode
from dataclasses import dataclass, field
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode

PEOPLE = {"ada": "owner", "bea": "member", "cem": "member", "gus": "guest"}
"""Names, as of addresses at example.com, with their roles."""
CHANNELS = {"lunch": ("ada", "bea", "gus"), "secret": ("ada", "bea")}
"""Channels, with their subscribers; the second is private."""
CHATTER = 200
"""Messages of small talk."""
YEAR = 365 * 86_400


@dataclass
class Server:
    """A server with the organization of a dump, before anything has happened there."""

    url: str
    keys: dict[str, str]
    ids: dict[str, int] = field(default_factory=dict)

    def call(self, who: str, method: str, path: str, **fields: Any) -> dict[str, Any]:
        """Send a request as one of the people.

        :raises HTTPError: it is refused
        """
        texts = {
            name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()
        }
        return self._send(who, method, path, urlencode(texts).encode(), "application/x-www-form-urlencoded")

    def upload(self, who: str, name: str, text: str) -> str:
        """Upload a file, and return its address."""
        body = (
            f'--soup\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            f"Content-Type: text/plain\r\n\r\n{text}\r\n--soup--\r\n"
        )
        form = "multipart/form-data; boundary=soup"
        address: str = self._send(who, "POST", "/user_uploads", body.encode(), form)["url"]
        return address

    def _send(self, who: str, method: str, path: str, body: bytes, media_type: str) -> dict[str, Any]:
        login = b64encode(f"{who}@example.com:{self.keys[who]}".encode()).decode()
        headers = {"Authorization": f"Basic {login}", "Content-Type": media_type}
        request = urllib.request.Request(f"{self.url}/api/v1{path}", body, headers, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            decoded: dict[str, Any] = json.load(answer)
            return decoded

    def says(self, who: str, content: str, channel: str, topic: str = "today") -> int:
        sent = self.call(who, "POST", "/messages", type="channel", to=channel, topic=topic, content=content)
        return int(sent["id"])


def tell(server: Server) -> None:
    """Let everything happen that the tests look for."""
    _join(server)
    _talk(server)
    _mark(server)
    _prepare(server)


def _join(server: Server) -> None:
    members = server.call("ada", "GET", "/users")["members"]
    server.ids = {user["full_name"].lower(): user["user_id"] for user in members}
    for channel, people in CHANNELS.items():
        server.call(
            "ada",
            "POST",
            "/users/me/subscriptions",
            subscriptions=[{"name": channel}],
            principals=[f"{name}@example.com" for name in people],
            invite_only=channel == "secret",
        )
    server.call("ada", "POST", "/user_groups/create", name="cooks", description="They cook",
                members=[server.ids["ada"], server.ids["bea"]])  # fmt: skip
    server.call("bea", "POST", f"/users/me/muted_users/{server.ids['cem']}")
    server.call("bea", "POST", "/users/me/alert_words", alert_words=["noodles"])
    server.call("bea", "POST", "/users/me/status", status_text="at lunch", emoji_name="tada")
    server.call("bea", "PATCH", "/settings", twenty_four_hour_time=True)


def _talk(server: Server) -> None:
    for number in range(CHATTER):
        server.says(("ada", "bea")[number % 2], f"Small talk {number}", "lunch", f"day {number % 7}")
    edited = server.says("ada", "Pumpkin soup at noon", "lunch", "soup")
    server.call("ada", "PATCH", f"/messages/{edited}", content="Pumpkin soup at **one**")
    server.says("bea", "A pumpkin for @**ada**, and noodles", "secret", "soup")
    server.says("ada", "/poll Which soup?\nPumpkin\nOnion", "lunch", "poll")
    moved = server.says("ada", "Größe: 東京の soup", "lunch", "moved away")
    server.call("ada", "PATCH", f"/messages/{moved}", topic="moved here")
    address = server.upload("ada", "recipe.txt", "One pumpkin, two onions")
    server.says("ada", f"[recipe.txt]({address})", "lunch", "recipes")
    for people in (["bea"], ["bea", "cem"]):
        addresses = [f"{name}@example.com" for name in people]
        server.call(
            "ada", "POST", "/messages", type="direct", to=addresses, content="Between us: pumpkin pie"
        )


def _mark(server: Server) -> None:
    newest = {"anchor": "newest", "num_before": 100, "num_after": 0}
    for who, narrow, flag in (
        ("bea", [["topic", "soup"], ["channel", "lunch"]], "starred"),
        ("bea", [["topic", "day 1"]], "read"),
    ):
        server.call(who, "POST", "/messages/flags/narrow", narrow=narrow, op="add", flag=flag, **newest)
    query = urlencode({**newest, "narrow": json.dumps([["topic", "soup"], ["channel", "lunch"]])})
    for message in server.call("bea", "GET", f"/messages?{query}")["messages"]:
        server.call("bea", "POST", f"/messages/{message['id']}/reactions", emoji_name="tada")
    lunch = server.call("ada", "GET", "/get_stream_id?stream=lunch")["stream_id"]
    server.call("bea", "POST", "/user_topics", stream_id=lunch, topic="soup", visibility_policy=3)


def _prepare(server: Server) -> None:
    draft = {"type": "private", "to": [server.ids["bea"]], "topic": "", "content": "An idea", "timestamp": 1}
    server.call("ada", "POST", "/drafts", drafts=[draft])
    for path, fields in (
        ("/saved_snippets", {"title": "Thanks", "content": "Thank you **all**"}),
        (
            "/scheduled_messages",
            {
                "type": "direct",
                "to": [server.ids["bea"]],
                "content": "Happy new year",
                "scheduled_delivery_timestamp": int(time.time()) + 100 * YEAR,  # noqa: TID251 - of the server
            },
        ),
    ):
        try:
            server.call("ada", "POST", path, **fields)
        except HTTPError as error:
            if error.code != 404:  # that version had none
                raise
