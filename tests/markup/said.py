"""Short ways to render a text in the tests: a small realm in which ada, grace and the garden exist."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chatcore.markup import (
    ChannelFact,
    Effects,
    Facts,
    GroupFact,
    Linkifier,
    Options,
    UserFact,
    parse,
    render,
)

REALM = Options(
    realm_url="https://chat.example",
    linkifiers=(Linkifier("#(?P<id>[0-9]+)", "https://track.example/{id}"),),
)
KNOWN = Facts(
    users=(
        UserFact(31, "Ada Byron"),
        UserFact(32, "Grace Hopper", is_active=False),
        UserFact(33, "Twin"),
        UserFact(34, "Twin"),
    ),
    groups=(
        GroupFact(17, "night-shift"),
        GroupFact(18, "old-crew", is_active=False),
        GroupFact(19, "role:members", is_system=True),
    ),
    channels=(ChannelFact(9, "garden"), ChannelFact(10, "tea room")),
    newest_messages={(9, "roses"): 214, (9, ""): 215},
    custom_emoji={"our_cat": "/user_avatars/2/emoji/images/5.png"},
)


def html_of(text: str, options: Options = REALM, facts: Facts = KNOWN, **changes: Any) -> str:
    return render(parse(text, replace(options, **changes)), facts).html


def effects_of(text: str, options: Options = REALM, facts: Facts = KNOWN, **changes: Any) -> Effects:
    return render(parse(text, replace(options, **changes)), facts).effects
