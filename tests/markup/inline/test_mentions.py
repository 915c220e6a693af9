"""Mentions and links into the chat: their HTML, the users they flag, and their lookups."""

from __future__ import annotations

import re

import pytest

from chatcore.domain.narrow.words import text_of_html
from chatcore.markup import (
    EARLIER,
    ChannelFact,
    Effects,
    Facts,
    GroupFact,
    Names,
    names,
    parse,
    render,
    written_channel,
    written_group,
    written_message,
    written_topic,
)
from tests.markup.said import REALM, effects_of, html_of


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("@**Ada Byron**", '<span class="user-mention" data-user-id="31">@Ada Byron</span>'),
        ("@**ada BYRON**", '<span class="user-mention" data-user-id="31">@Ada Byron</span>'),
        ("@_**Ada Byron**", '<span class="user-mention silent" data-user-id="31">Ada Byron</span>'),
        ("@**Twin|34**", '<span class="user-mention" data-user-id="34">@Twin</span>'),
        ("@**|34**", '<span class="user-mention" data-user-id="34">@Twin</span>'),
        ("@**Twin**", '<span class="user-mention" data-user-id="33">@Twin</span>'),
        ("@**Grace Hopper**", '<span class="user-mention silent" data-user-id="32">Grace Hopper</span>'),
        ("@**ada byron|31**", "@<strong>ada byron|31</strong>"),
        ("@**Twin|99**", "@<strong>Twin|99</strong>"),
        ("@**Nobody**", "@<strong>Nobody</strong>"),
        ("@**`a`**", "@<strong><code>a</code></strong>"),
        ("x@**Ada Byron**", "x@<strong>Ada Byron</strong>"),
        ("@*night-shift*", '<span class="user-group-mention" data-user-group-id="17">@night-shift</span>'),
        (
            "@_*night-shift*",
            '<span class="user-group-mention silent" data-user-group-id="17">night-shift</span>',
        ),
        ("@*old-crew*", '<span class="user-group-mention silent" data-user-group-id="18">old-crew</span>'),
        ("@*role:members*", "@<em>role:members</em>"),
        (
            "@_*role:members*",
            '<span class="user-group-mention silent" data-user-group-id="19">role:members</span>',
        ),
        ("@*nobody*", "@<em>nobody</em>"),
        ("@**all**", '<span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span>'),
        (
            "@_**all**",
            '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span>',
        ),
        ("@**topic**", '<span class="topic-mention">@topic</span>'),
        ("@**All**", "@<strong>All</strong>"),
    ],
)
def test_mentions_are_rendered(text: str, html: str) -> None:
    assert html_of(text) == f"<p>{html}</p>"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("#**garden**", '<a class="stream" data-stream-id="9" href="/#narrow/channel/9-garden">#garden</a>'),
        (
            "#**tea room**",
            '<a class="stream" data-stream-id="10" href="/#narrow/channel/10-tea-room">#tea room</a>',
        ),
        ("#**Garden**", "#<strong>Garden</strong>"),
        (
            "#**garden>roses**",
            '<a class="stream-topic" data-stream-id="9"'
            ' href="/#narrow/channel/9-garden/topic/roses/with/214">'
            "#garden &gt; roses</a>",
        ),
        (
            "#**garden>a b/c.d**",
            '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-garden/topic/a.20b.2Fc.2Ed">'
            "#garden &gt; a b/c.d</a>",
        ),
        (
            "#**garden>**",
            '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-garden/topic//with/215">'
            "#garden &gt; <em>general chat</em></a>",
        ),
        (
            "#**tea room>**",
            '<a class="stream-topic" data-stream-id="10" href="/#narrow/channel/10-tea-room/topic/">'
            "#tea room &gt; <em>general chat</em></a>",
        ),
        (
            "#**garden>roses@214**",
            '<a class="message-link" href="/#narrow/channel/9-garden/topic/roses/near/214">'
            "#garden &gt; roses @ \U0001f4ac</a>",
        ),
        ("#**nowhere>x**", "#<strong>nowhere&gt;x</strong>"),
    ],
)
def test_links_into_the_chat_are_rendered(text: str, html: str) -> None:
    assert html_of(text) == f"<p>{html}</p>"


def test_the_earlier_shapes_are_still_to_be_had() -> None:
    assert (
        html_of("@**all**", forms=EARLIER) == '<p><span class="user-mention" data-user-id="*">@all</span></p>'
    )
    assert html_of("#**garden>**", forms=EARLIER) == "<p>#<strong>garden&gt;</strong></p>"
    assert 'href="/#narrow/stream/9-garden/topic/roses"' in html_of("#**garden>roses**", forms=EARLIER)
    assert "role:members</em>" in html_of("@_*role:members*", forms=EARLIER)


def test_a_mention_flags_users_groups_and_wildcards() -> None:
    assert effects_of("@**Ada Byron** @*night-shift* @**all** @**topic**") == Effects(
        user_ids=frozenset({31}), group_ids=frozenset({17}), channel_wildcard=True, topic_wildcard=True
    )


@pytest.mark.parametrize(
    "text",
    [
        "@_**Ada Byron** @_*night-shift* @_**all** @_**topic**",
        "> @**Ada Byron** @*night-shift* @**all** @**topic**",
        "```quote\n> * @**Ada Byron** @*night-shift* @**all** @**topic**\n```",
        "`@**Ada Byron**` `@**all**`",
        "```\n@**Ada Byron** @**all**\n```",
        "@**Grace Hopper** @*old-crew* @*role:members*",
    ],
)
def test_a_silent_mention_flags_nobody(text: str) -> None:
    assert effects_of(text) == Effects()


def test_a_mention_behind_a_quote_is_loud_again() -> None:
    assert effects_of("> @**Ada Byron**\n\n@**Ada Byron**").user_ids == {31}


def test_names_says_what_to_look_up() -> None:
    tree = parse(
        "@**Ada** @_**Twin|34** @**all** @*crew* #**garden** #**tea room>x** #**shed>y@7** :our_cat:"
        " [a](/user_uploads/1/b) https://a.example/ `@**Code**`",
        REALM,
    )
    assert names(tree) == Names(
        user_names=frozenset({"Ada"}),
        user_ids=frozenset({34}),
        group_names=frozenset({"crew"}),
        channel_names=frozenset({"garden", "tea room", "shed"}),
        topics=frozenset({("tea room", "x")}),
        emoji_names=frozenset({"our_cat"}),
        upload_path_ids=frozenset({"1/b"}),
        urls=frozenset({"https://a.example/"}),
    )


def test_without_facts_nothing_is_resolved() -> None:
    assert render(parse("@**Ada Byron** @*a* #**garden** :our_cat:")).html == (
        "<p>@<strong>Ada Byron</strong> @<em>a</em> #<strong>garden</strong> :our_cat:</p>"
    )


def test_an_unknown_mention_leaves_its_text_to_the_other_rules() -> None:
    assert html_of("@**Nobody https://a.example/ x** @**Ada Byron**") == (
        '<p>@<strong>Nobody <a href="https://a.example/">https://a.example/</a> x</strong> '
        '<span class="user-mention" data-user-id="31">@Ada Byron</span></p>'
    )


def test_names_are_shown_as_they_are_stored() -> None:
    assert "#a &amp; &amp;lt;</a>" in html_of(
        "#**a & &lt;**", facts=Facts(channels=(ChannelFact(1, "a & &lt;"),))
    )


NAMES = (
    "garden",
    "tea room (old)",
    "a > b",
    "b** @**all",
    "b* @*crew",
    "`",
    "``a`",
    "a `b` c",
    "@",
    "a @_",
    "a $$b$$ c",
    "<time:1>",
    "[a](https://a.example)",
    "a.example.com :smile: ~~b~~",
    "a|b #1",
    "\\",
    "~~~",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_can_be_written_so_that_nothing_in_it_is_markup(name: str) -> None:
    facts = Facts(channels=(ChannelFact(9, name),), groups=(GroupFact(17, name),))
    for written, shown in ((written_channel(name), f"#{name}"), (written_group(name), name)):
        text = f"Look: {written}.\n\n* {written}\n* {written} **"
        html = html_of(text, facts=facts)
        effects = effects_of(text, facts=facts)
        assert (effects.channel_wildcard, effects.topic_wildcard, effects.group_ids) == (False, False, set())
        assert text_of_html(html).count(shown if "<code>" not in html else name) == 3
        assert {tag.split()[0] for tag in re.findall("<([^/>]+)>", html)} <= {
            "p",
            "ul",
            "li",
            "a",
            "span",
            "code",
        }
        assert html.count("<a ") + html.count("<span") + html.count("<code>") == 3


@pytest.mark.parametrize("topic", [*NAMES, "", "soup@12"])
def test_a_topic_can_be_written_so_that_nothing_in_it_is_markup(topic: str) -> None:
    written = written_topic("garden", topic)
    facts = Facts(channels=(ChannelFact(9, "garden"),))
    html, effects = html_of(f"Look: {written}.", facts=facts), effects_of(f"Look: {written}.", facts=facts)
    assert (effects.channel_wildcard, effects.topic_wildcard, effects.group_ids) == (False, False, set())
    assert html.count("<a ") + html.count("<code>") == 1
    assert topic in text_of_html(html)


@pytest.mark.parametrize("topic", [*NAMES, "", "soup@12"])
def test_a_message_can_be_written_so_that_nothing_in_its_topic_is_markup(topic: str) -> None:
    text = f"Look: {written_message('garden', topic, 77)}."
    facts = Facts(channels=(ChannelFact(9, "garden"),))
    html, effects = html_of(text, facts=facts), effects_of(text, facts=facts)
    assert (effects.channel_wildcard, effects.topic_wildcard, effects.group_ids) == (False, False, set())
    assert html.count("/near/77") + html.count("<code>") == 1
    assert topic in text_of_html(html)


def test_a_name_without_tricks_is_a_link_or_a_mention() -> None:
    assert written_channel("tea room (old)") == "#**tea room (old)**"
    assert written_topic("tea room", "Soup, or salad?") == "#**tea room>Soup, or salad?**"
    assert written_message("tea room", "Soup", 77) == "#**tea room>Soup@77**"
    assert written_group("tea@room") == "@_*tea@room*"
