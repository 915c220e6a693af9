"""The world of the recorded cases, mapped onto the package. Other case files are run through it too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chatcore.domain.files.foreign_media import ForeignMedia, ForeignMode
from chatcore.markup import (
    EARLIER,
    ChannelFact,
    Facts,
    GroupFact,
    Linkifier,
    Options,
    UserFact,
    parse,
    render,
    topic_links,
)

World = dict[str, Any]


def options_of(world: World) -> Options:
    chosen = world.get("options") or {}
    return Options(
        realm_url=world.get("realm_url") or "",
        linkifiers=tuple(
            Linkifier(each["pattern"], each["url_template"]) for each in world.get("linkifiers") or ()
        ),
        default_code_language=chosen.get("default_code_block_language") or "",
        translate_emoticons=bool(chosen.get("translate_emoticons")),
        previews=bool(chosen.get("inline_image_preview", True)),
        file_links=bool(chosen.get("file_links")),
        indented_code=not chosen.get("email_gateway"),
        forms=EARLIER,
    )


def facts_of(world: World) -> Facts:
    return Facts(
        users=tuple(
            UserFact(u["id"], u["full_name"], u.get("is_active", True)) for u in world.get("users") or ()
        ),
        groups=tuple(
            GroupFact(g["id"], g["name"], g.get("is_system_group", False))
            for g in world.get("user_groups") or ()
        ),
        channels=tuple(ChannelFact(c["id"], c["name"]) for c in world.get("channels") or ()),
        custom_emoji={
            e["name"]: e["source_url"] for e in world.get("custom_emoji") or () if not e.get("deactivated")
        },
    )


def render_case(content: str, world: World) -> tuple[str, dict[str, Any]]:
    rendered = render(parse(content, options_of(world)), facts_of(world))
    if proxy := (world.get("options") or {}).get("image_proxy"):
        media = ForeignMedia(ForeignMode.PROXY, proxy["key"])
        rendered = replace(rendered, html=media.shown(rendered.html))
    effects = rendered.effects
    return rendered.html, {
        "user_ids": sorted(effects.user_ids),
        "group_ids": sorted(effects.group_ids),
        "channel_wildcard": effects.channel_wildcard,
        "topic_wildcard": effects.topic_wildcard,
        "attachments": sorted(effects.attachments),
    }


def topic_links_case(topic: str, world: World) -> list[dict[str, str]]:
    return topic_links(topic, options_of(world))
