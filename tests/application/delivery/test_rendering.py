"""Long texts are rendered beside the event loop; refused texts are not rendered."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from chatcore.application.channels import subscribing
from chatcore.application.channels.subscription_plans import Subscribe, WantedChannel
from chatcore.application.delivery import rendering
from chatcore.application.delivery.rendering import MANY_CHARACTERS, render_text
from chatcore.application.messages import sending
from chatcore.application.people import profiles
from chatcore.application.people.profiles import Entry
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.runtime.work import Work
from tests.worlds.files import files_world, uploads
from tests.worlds.organization import Someone, World
from tests.worlds.pictures import picture

__all__ = ["files_world"]

LONG = "*a* " * (MANY_CHARACTERS // 4 + 1)


@pytest.fixture
def handed_over(world: World) -> list[Callable[[], Any]]:
    """The texts that `aside` handed to another thread."""
    return []


@pytest.fixture
def aside(world: World, handed_over: list[Callable[[], Any]]) -> Services:
    def run(work: Callable[[], Any], kind: Work) -> Any:
        assert kind is Work.TEXTS
        handed_over.append(work)
        return work()

    return replace(world.svc, run_blocking=run)


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are rendered."""
    texts: list[str] = []
    parse = rendering.parse

    def noticed(text: str, *rest: Any) -> Any:
        texts.append(text)
        return parse(text, *rest)

    monkeypatch.setattr(rendering, "parse", noticed)
    return texts


def test_a_long_text_is_rendered_where_it_holds_up_nobody(
    aside: Services, ada: Someone, handed_over: list[Any]
) -> None:
    assert sending.preview(aside, ada.actor, "*a*") == "<p><em>a</em></p>"
    assert not handed_over
    assert (
        sending.preview(aside, ada.actor, LONG) == "<p>" + ("<em>a</em> " * LONG.count("a")).strip() + "</p>"
    )
    assert len(handed_over) == 2


def test_many_short_texts_are_rendered_in_a_thread_like_a_long_one(
    aside: Services, ada: Someone, handed_over: list[Any]
) -> None:
    def wanted(count: int, first: int) -> Subscribe:
        return Subscribe(
            channels=[WantedChannel(f"c{first + n}", f"*{first + n}* " * 50) for n in range(count)]
        )

    subscribing.subscribe(aside, ada.actor, wanted(2, 10))
    assert not handed_over
    subscribing.subscribe(aside, ada.actor, wanted(9, 20))
    assert len(handed_over) == 1


def test_a_refused_request_to_subscribe_renders_nothing(
    world: World, ada: Someone, gus: Someone, rendered: list[str]
) -> None:
    new = [
        WantedChannel(f"new {number}", "*a*")
        for number in range(world.svc.limits.max_new_channels_per_request)
    ]

    def refused(who: Someone, *wanted: WantedChannel, **more: Any) -> None:
        with pytest.raises(BadRequest):
            subscribing.subscribe(world.svc, who.actor, Subscribe(channels=wanted, **more))
        assert not rendered

    refused(gus, *new)
    refused(ada, *new, WantedChannel("one more", "*a*"))
    refused(ada, *new, WantedChannel("x" * 61, "*a*"))
    refused(ada, *new, principals=[99_999])
    refused(world["cem"], *new, WantedChannel("secret"))
    world.change_organization(
        permissions={"can_create_public_channel_group": GroupSetting.of(SystemGroup.NOBODY)}
    )
    refused(ada, *new)


def test_an_existing_channel_gets_no_new_description(world: World, ada: Someone, rendered: list[str]) -> None:
    wanted = [WantedChannel("lunch", "*old*"), WantedChannel("garden", "*new*")]
    subscribing.subscribe(
        world.svc, ada.actor, Subscribe(channels=wanted, send_new_subscription_messages=False)
    )
    assert rendered == ["*new*"]


def test_a_channel_that_was_not_prepared_is_not_created(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscribing, "prepare", lambda *_: {})  # as if nothing had been missing
    with pytest.raises(BadRequest):
        subscribing.subscribe(world.svc, ada.actor, Subscribe(channels=[WantedChannel("garden")]))
    assert world.count("channel") == 5


def test_values_of_a_profile_are_checked_before_they_are_rendered(
    world: World, ada: Someone, olga: Someone, rendered: list[str]
) -> None:
    closed, text = (
        olga.post("/realm/profile_fields", field_type=1, name=name, editable_by_user=name == "text")["id"]
        for name in ("closed", "text")
    )
    for bad in (Entry(closed, "*a*"), Entry(99_999, "*a*"), Entry(text, "*a*" * 1_000)):
        with pytest.raises(BadRequest):
            profiles.update_own(world.svc, ada.actor, [Entry(text, "*a*"), bad])
        assert not rendered
    profiles.update_own(world.svc, ada.actor, [Entry(text, f"*{number}*") for number in range(9)])
    assert rendered == ["*8*"]


@pytest.mark.parametrize("text", ["$$x$$", "```math\nx\n```", "~~~ Math\nx"])
def test_a_formula_is_rendered_where_it_holds_up_nobody(
    aside: Services, ada: Someone, handed_over: list[Any], text: str
) -> None:
    assert '<annotation encoding="application/x-tex">x</annotation>' in sending.preview(
        aside, ada.actor, text
    )
    assert handed_over


def test_without_the_engine_a_formula_is_its_source(world: World, ada: Someone) -> None:
    without = replace(world.svc, formulas=None)
    assert sending.preview(without, ada.actor, "$$x$$") == '<p><span class="tex-error">$$x$$</span></p>'


def test_only_files_that_a_text_may_give_are_shown(files_world: World) -> None:
    ada = files_world["ada"]
    urls = [uploads(ada, picture(), "soup.png")["url"] for _ in range(2)]
    path_id = urls[0].removeprefix("/user_uploads/")
    for files, shown in ((None, 2), (frozenset({path_id}), 1), (frozenset(), 0)):
        text = render_text(files_world.svc, ada.actor, " ".join(f"![]({url})" for url in urls), files=files)
        assert text.html.count("data-original-dimensions") == shown
