"""Small rules: roles that are needed, statuses, names, topics in settings."""

from collections.abc import Callable
from typing import Any

import pytest

from chatcore.domain import topics
from chatcore.domain.emoji import Emoji
from chatcore.domain.errors import BadRequest, InsufficientRole
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import LinkifierId, PlaygroundId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.organization import linkifiers, playgrounds
from chatcore.domain.organization.administration import require_administrator, require_may_appoint
from chatcore.domain.organization.linkifiers import Linkifier
from chatcore.domain.organization.playgrounds import Playground
from chatcore.domain.people.statuses import Status, changed_parts, checked_status_text
from chatcore.domain.roles import Role


@pytest.mark.parametrize("role", Role)
def test_roles_decide_about_administration(role: Role) -> None:
    actor = Actor(UserId(1), role, frozenset())
    for require, enough in (
        (require_administrator, Role.ADMINISTRATOR),
        (lambda actor: require_may_appoint(actor, Role.MEMBER, Role.OWNER), Role.OWNER),
    ):
        if role <= enough:
            require(actor)
        else:
            with pytest.raises(InsufficientRole):
                require(actor)


def test_a_status_event_has_only_the_changes() -> None:
    out = Status(status_text="out").with_emoji(Emoji("house", "1f3e0", "unicode_emoji"))
    assert out.is_set
    assert not Status().is_set
    assert changed_parts(Status(), out) == {
        "status_text": "out",
        "emoji_name": "house",
        "emoji_code": "1f3e0",
        "reaction_type": "unicode_emoji",
    }
    back = Status(status_text="in").with_emoji(Emoji("house", "1f3e0", "unicode_emoji"))
    assert changed_parts(out, back) == {"status_text": "in"}


def test_the_text_of_a_status_is_short() -> None:
    assert checked_status_text(" " + "x" * 60 + " ") == "x" * 60
    for text in ("x" * 61, "a\nb", "a\0b"):
        with pytest.raises(BadRequest):
            checked_status_text(text)


def test_a_topic_in_a_setting_is_not_cut() -> None:
    def read(raw: str) -> str:
        return topics.read_topic(topics.topic_in_setting(raw, limits=Limits()), "general chat")

    assert [read(raw) for raw in (" Soup ", "(no topic)", "general chat", "x" * 60)] == [
        "Soup",
        "",
        "",
        "x" * 60,
    ]
    for raw, refusal in (("x" * 61, "too long"), ("a\nb", "position 2"), ("\0" * 61, "too long")):
        with pytest.raises(BadRequest, match=refusal):
            read(raw)


def test_of_a_topic_that_is_cut_only_the_rest_is_checked() -> None:
    def read(raw: str) -> str:
        policy = topics.TopicsPolicy.ALLOW_EMPTY
        return topics.topic_for_sending(
            raw, empty_display_name="general chat", policy=policy, limits=Limits()
        )

    assert read("x" * 60 + "\0x") == "x" * 57 + "..."
    with pytest.raises(BadRequest, match="position 3"):
        read("xx\0" + "x" * 60)


def test_linkifiers_and_playgrounds_are_found_by_id() -> None:
    linkifier = Linkifier(LinkifierId(1), "a", "https://a.example/")
    playground = Playground(PlaygroundId(2), "Try", "Python", "https://a.example/{code}")
    assert linkifiers.find([linkifier], 1) is linkifier
    assert playgrounds.find([playground], 2) is playground
    with pytest.raises(BadRequest):
        linkifiers.find([linkifier], 2)
    with pytest.raises(BadRequest):
        playgrounds.find([playground], 1)
    playgrounds.require_new([playground], "Try", "C")
    playgrounds.require_new([playground], "Other", "Python")
    with pytest.raises(BadRequest):
        playgrounds.require_new([playground], "Try", "Python")


TWO = [Linkifier(LinkifierId(number), f"#{number}", "https://a.example/") for number in (1, 2)]
MANY = [Playground(PlaygroundId(number), f"P{number}", "C", "") for number in range(500)]


@pytest.mark.parametrize(
    ("read", "given", "taken"),
    [
        (playgrounds.checked_name, " Try it ", "Try it"),
        (playgrounds.checked_name, "x" * 100, "x" * 100),
        (playgrounds.checked_name, "x" * 101, None),
        (playgrounds.checked_name, " ", None),
        (playgrounds.checked_name, "a\nb", None),
        (playgrounds.checked_language, " C++/C#-2.0 ", "C++/C#-2.0"),
        (playgrounds.checked_language, "x" * 41, None),
        (playgrounds.checked_language, "", None),
        (playgrounds.checked_language, "C;", None),
        (lambda ids: linkifiers.order_linkifiers(TWO, ids), [2, 1], [2, 1]),
        (lambda ids: linkifiers.order_linkifiers(TWO, ids), [2, 2], None),
        (lambda ids: linkifiers.order_linkifiers(TWO, ids), [2], None),
        (lambda ids: linkifiers.order_linkifiers(TWO, ids), [1, 2, 3], None),
        (lambda pattern: linkifiers.require_new_pattern(TWO, pattern) or pattern, "#3", "#3"),
        (lambda pattern: linkifiers.require_new_pattern(TWO, pattern) or pattern, "#2", None),
        (lambda name: playgrounds.require_new(MANY[1:], name, "C") or name, "new", "new"),
        (lambda name: playgrounds.require_new(MANY, name, "C") or name, "new", None),
    ],
)
def test_fields_of_linkifiers_and_playgrounds(
    read: Callable[[Any], object], given: object, taken: object
) -> None:
    if taken is not None:
        assert read(given) == taken
    else:
        with pytest.raises(BadRequest):
            read(given)
