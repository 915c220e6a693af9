"""The syntax of mentions of users and groups, and of links to channels, topics and messages.

A mention is a candidate until the facts confirm its name (`KnownNames`).
"""

from __future__ import annotations

import re
from typing import Final

from chatcore.markup.blocks.run import Token
from chatcore.markup.facts import ChannelFact, Facts, GroupFact, Names, UserFact
from chatcore.markup.options import HtmlForms
from chatcore.markup.tree import Tree
from chatcore.markup.urls.addresses import upload_path_id

CHANNEL_WILDCARDS: Final = frozenset({"all", "everyone", "channel", "stream"})
TOPIC_WILDCARD: Final = "topic"

_BEFORE = r"(?<![^\s'\"(\[{/<])"
USER: Final = re.compile(_BEFORE + r"@(?P<silent>_?)\*\*(?P<name>[^*]+)\*\*")
GROUP: Final = re.compile(_BEFORE + r"@(?P<silent>_?)\*(?P<name>[^*]+)\*")
CHANNEL: Final = re.compile(_BEFORE + r"#\*\*(?P<channel>[^*>]+)\*\*")
TOPIC: Final = re.compile(_BEFORE + r"#\*\*(?P<channel>[^*>]+)>(?P<topic>[^*]*)\*\*")

_NAME_AND_ID = re.compile(r"(.*)\|([0-9]{1,18})", re.DOTALL)
_TOPIC_AND_MESSAGE = re.compile(r"(.*)@([0-9]{1,18})", re.DOTALL)


_WRITABLE_NAME = re.compile(r"(?!.*(?:\$\$|@_?$))[^*>`]+")
"""A name that no rule before those for channels and groups sees, even partly."""
_BACKTICKS = re.compile("`+")


def written_channel(name: str) -> str:
    """Return the reference to a channel in a text: a link, or inline code if the name does not fit into a
    link.
    """
    return f"#**{name}**" if _WRITABLE_NAME.fullmatch(name) else _written_code(name)


def written_topic(channel: str, topic: str) -> str:
    """Return the reference to a topic in a text: a link, or inline code if the names do not fit into a link,
    or the topic ends like the number of a message.
    """
    if _fit_into_link(channel, topic) and not _TOPIC_AND_MESSAGE.fullmatch(topic):
        return f"#**{channel}>{topic}**"
    return _written_code(f"{channel} > {topic}")


def written_message(channel: str, topic: str, message_id: int) -> str:
    """Return the reference to a message in a text: a link, or inline code if the names do not fit."""
    if _fit_into_link(channel, topic):
        return f"#**{channel}>{topic}@{message_id}**"
    return _written_code(f"{channel} > {topic} @ {message_id}")


def _fit_into_link(channel: str, topic: str) -> bool:
    return all(_WRITABLE_NAME.fullmatch(name) for name in (channel, topic) if name)


def written_group(name: str) -> str:
    """Return the silent mention of a group in a text, or inline code if the name does not fit into one."""
    return f"@_*{name}*" if _WRITABLE_NAME.fullmatch(name) else _written_code(name)


def _written_code(name: str) -> str:
    """Write a name as inline code, which precedes all other rules, so that nothing in it is markup."""
    marks = "`" * (1 + max(map(len, _BACKTICKS.findall(name)), default=0))
    blank = " " if "`" in (name[0], name[-1]) else ""
    return f"{marks}{blank}{name}{blank}{marks}"


def read_user_mention(match: re.Match[str], forms: HtmlForms) -> Token:
    name, is_silent = match["name"], bool(match["silent"])
    if name in CHANNEL_WILDCARDS:
        return {"type": "channel_wildcard", "word": name, "is_silent": is_silent}
    if name == TOPIC_WILDCARD:
        return {"type": "topic_wildcard", "word": name, "is_silent": is_silent}
    numbered = _NAME_AND_ID.fullmatch(name)
    if numbered:
        return {"type": "user_mention", "name": numbered[1], "id": int(numbered[2]), "is_silent": is_silent}
    return {"type": "user_mention", "name": name, "id": None, "is_silent": is_silent}


def read_group_mention(match: re.Match[str], forms: HtmlForms) -> Token:
    return {"type": "group_mention", "name": match["name"], "is_silent": bool(match["silent"])}


def read_channel_link(match: re.Match[str], forms: HtmlForms) -> Token:
    return {"type": "channel_link", "channel": match["channel"]}


def read_topic_link(match: re.Match[str], forms: HtmlForms) -> Token | None:
    channel, topic = match["channel"], match["topic"]
    if not forms.links_to_messages:
        return {"type": "topic_link", "channel": channel, "topic": topic} if topic else None
    if message := _TOPIC_AND_MESSAGE.fullmatch(topic):
        return {
            "type": "message_link",
            "channel": channel,
            "topic": message[1],
            "message_id": int(message[2]),
        }
    return {"type": "topic_link", "channel": channel, "topic": topic}


def names(tree: Tree) -> Names:
    """Return the names in *tree*, for the use case to look up."""
    users: set[str] = set()
    user_ids: set[int] = set()
    groups: set[str] = set()
    channels: set[str] = set()
    topics: set[tuple[str, str]] = set()
    for token in tree.found.mentions:
        match token["type"]:
            case "user_mention" if token["id"] is None:
                users.add(token["name"])
            case "user_mention":
                user_ids.add(token["id"])
            case "group_mention":
                groups.add(token["name"])
            case _:
                channels.add(token["channel"])
                if token["type"] == "topic_link":
                    topics.add((token["channel"], token["topic"]))
    path_ids = {upload_path_id(url, tree.options) for url in tree.found.addresses}
    urls = {url for url in tree.found.addresses if url.startswith(("http://", "https://"))}
    return Names(
        user_names=frozenset(users),
        user_ids=frozenset(user_ids),
        group_names=frozenset(groups),
        channel_names=frozenset(channels),
        topics=frozenset(topics),
        emoji_names=frozenset(tree.found.emoji_names),
        upload_path_ids=frozenset(filter(None, path_ids)),
        urls=frozenset(urls),
    )


class KnownNames:
    """The users, groups and channels of the facts, by their names."""

    def __init__(self, facts: Facts, forms: HtmlForms) -> None:
        self._forms = forms
        self._users_by_id = {user.id: user for user in facts.users}
        self._users_by_name: dict[str, UserFact] = {}
        for user in facts.users:
            self._users_by_name.setdefault(user.full_name.lower(), user)
        self._groups = {group.name: group for group in facts.groups}
        self._channels = {channel.name: channel for channel in facts.channels}

    def user(self, token: Token) -> UserFact | None:
        if token["id"] is None:
            return self._users_by_name.get(token["name"].lower())
        user = self._users_by_id.get(token["id"])
        return user if user and token["name"] in ("", user.full_name) else None

    def group(self, token: Token) -> GroupFact | None:
        """Return the group of a mention; system groups can be mentioned silently at most."""
        group = self._groups.get(token["name"])
        if group and group.is_system and not (token["is_silent"] and self._forms.silent_system_groups):
            return None
        return group

    def channel(self, token: Token) -> ChannelFact | None:
        return self._channels.get(token["channel"])

    def has(self, token: Token) -> bool:
        match token["type"]:
            case "user_mention":
                return self.user(token) is not None
            case "group_mention":
                return self.group(token) is not None
            case _:
                return self.channel(token) is not None
