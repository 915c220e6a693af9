"""Small rules: roles that are needed, statuses, names, topics in settings."""

import pytest

from chatcore.domain import linkifiers, playgrounds, topics
from chatcore.domain.administration import require_administrator, require_owner
from chatcore.domain.emoji import Emoji
from chatcore.domain.errors import BadRequest, InsufficientRole
from chatcore.domain.groups import Actor
from chatcore.domain.ids import LinkifierId, PlaygroundId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.linkifiers import Linkifier
from chatcore.domain.playgrounds import Playground
from chatcore.domain.roles import Role
from chatcore.domain.statuses import Status, changes, status_text


@pytest.mark.parametrize("role", Role)
def test_what_needs_a_role(role: Role) -> None:
    actor = Actor(UserId(1), role, frozenset())
    for require, enough in ((require_administrator, Role.ADMINISTRATOR), (require_owner, Role.OWNER)):
        if role <= enough:
            require(actor)
        else:
            with pytest.raises(InsufficientRole):
                require(actor)


def test_a_status_tells_what_has_changed() -> None:
    out = Status(status_text="out").with_emoji(Emoji("house", "1f3e0", "unicode_emoji"))
    assert out.is_set
    assert not Status().is_set
    assert changes(Status(), out) == {
        "status_text": "out",
        "emoji_name": "house",
        "emoji_code": "1f3e0",
        "reaction_type": "unicode_emoji",
    }
    assert changes(out, Status(status_text="in").with_emoji(Emoji("house", "1f3e0", "unicode_emoji"))) == {
        "status_text": "in"
    }


def test_the_text_of_a_status_is_short() -> None:
    assert status_text(" " + "x" * 60 + " ") == "x" * 60
    for text in ("x" * 61, "a\nb", "a\0b"):
        with pytest.raises(BadRequest):
            status_text(text)


def test_a_topic_in_a_setting_is_not_cut() -> None:
    def read(raw: str) -> str:
        return topics.topic_in_setting(raw, empty_display_name="general chat", limits=Limits())

    assert [read(raw) for raw in (" Soup ", "(no topic)", "general chat", "x" * 60)] == [
        "Soup",
        "",
        "",
        "x" * 60,
    ]
    for raw in ("x" * 61, "a\nb"):
        with pytest.raises(BadRequest):
            read(raw)


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
