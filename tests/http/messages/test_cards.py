"""Cards of the websites that messages link to, on both stores."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from chatcore.application.delivery import card_fetching
from chatcore.application.delivery.card_fetching import CardFetcher, fetch_waiting
from chatcore.application.scheduled.delivery import deliver_due
from chatcore.domain.messages.cards import MAX_PER_MESSAGE
from chatcore.runtime import cards
from tests.markup.allow_list import require_safe
from tests.waiting import PATIENCE, until
from tests.worlds.organization import DAY, MakeWorld, Someone, World
from tests.worlds.web_services import Answer, Request, Service, serves

PAGE = (
    b'<title>Soup "hot" <b></title><meta name="description" content="Every day">'
    b'<meta property="og:image" content="/soup.png">'
)


@pytest.fixture
def service() -> Iterator[Service]:
    with serves() as service:
        service.answers = lambda request: page()
        yield service


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    world = make_world(outgoing_private_addresses=True, external_images="direct")
    world.change_organization(inline_url_embed_preview=True)
    return world


def page(body: bytes = PAGE, **headers: str) -> Answer:
    return Answer(body=body, headers={"Content-Type": "text/html", **headers})


def html_of(someone: Someone, message_id: int) -> str:
    html: str = someone.get(f"/messages/{message_id}")["message"]["content"]
    return html


def card(url: str, *, image: bool = True) -> str:
    picture = (
        f'<a class="message_embed_image" href="{url}" style="background-image:'
        f' url(&quot;{url.partition("/page")[0]}/soup.png&quot;)"></a>'
    )
    return (
        f'<div class="message_embed">{picture if image else ""}<div class="data-container"><div class='
        f'"message_embed_title"><a href="{url}" title="Soup &quot;hot&quot;">Soup &quot;hot&quot;</a></div>'
        '<div class="message_embed_description">Every day</div></div></div>'
    )


def test_a_link_gets_a_card_after_its_message_was_sent(world: World, ada: Someone, service: Service) -> None:
    bea, line, others = (
        world["bea"],
        world["bea"].opens_queue("update_message"),
        world["cem"].opens_queue("update_message"),
    )
    url = f"{service.url}page"
    sent = ada.says(f"see {url}", "secret")
    link = f'<p>see <a href="{url}">{url}</a></p>'
    assert html_of(bea, sent) == link
    assert service.requests == []
    fetch_waiting(world.svc)
    assert [(request.method, request.path) for request in service.requests] == [("GET", "/page")]
    assert html_of(bea, sent) == f"{link}\n{card(url)}"
    require_safe(html_of(bea, sent))
    (event,) = line.events("update_message")
    assert (event["rendering_only"], event["user_id"]) == (True, None)
    assert event["rendered_content"] == html_of(bea, sent)
    assert event["message_ids"] == [sent]
    assert others.events("update_message") == []


def test_a_known_card_is_shown_at_once(world: World, ada: Someone, service: Service) -> None:
    url = f"{service.url}page"
    ada.says(url)
    fetch_waiting(world.svc)
    assert html_of(ada, ada.says(url)).endswith(card(url))
    fetch_waiting(world.svc)
    assert len(service.requests) == 1
    world.clock.advance(cards.REMEMBERED_SECONDS + 1)
    assert "message_embed" not in html_of(ada, ada.says(url))


def test_an_edited_message_gets_the_cards_of_new_links(world: World, ada: Someone, service: Service) -> None:
    url = f"{service.url}page"
    sent = ada.says("soup")
    ada.patch(f"/messages/{sent}", content=url)
    fetch_waiting(world.svc)
    assert html_of(ada, sent).endswith(card(url))
    history = ada.get(f"/messages/{sent}/history")["message_history"]
    assert len(history) == 2


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_card_changes_no_time_that_was_counted_from_the_day_of_the_text(
    world: World, ada: Someone, service: Service, is_edited: bool
) -> None:
    world.change_organization(message_content_edit_limit_seconds=None)
    text = f"soup <time:10:30>, <time:sunday>: {service.url}page"
    sent = ada.says("soup" if is_edited else text)
    if is_edited:
        world.clock.advance(DAY)
        ada.patch(f"/messages/{sent}", content=text)
    before = html_of(ada, sent)
    world.clock.advance(DAY)
    fetch_waiting(world.svc)
    assert html_of(ada, sent) == f"{before}\n{card(f'{service.url}page')}"


def test_a_message_that_is_edited_meanwhile_stays(world: World, ada: Someone, service: Service) -> None:
    sent = ada.says(f"{service.url}page")

    def edit(request: Request) -> Answer:
        ada.patch(f"/messages/{sent}", content="soup")
        return page()

    service.answers = edit
    fetch_waiting(world.svc)
    assert html_of(ada, sent) == "<p>soup</p>"
    gone = ada.says(f"{service.url}page?2")
    ada.delete(f"/messages/{gone}")
    fetch_waiting(world.svc)


def test_a_message_that_is_edited_while_it_is_rendered_stays(
    world: World, ada: Someone, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, render = ada.says(f"{service.url}page"), card_fetching.render_again

    def slow(*given: Any) -> Any:
        ada.patch(f"/messages/{sent}", content="soup")
        return render(*given)

    monkeypatch.setattr(card_fetching, "render_again", slow)
    fetch_waiting(world.svc)
    assert html_of(ada, sent) == "<p>soup</p>"


@pytest.mark.parametrize("is_wanted", [True, False])
def test_the_organization_decides(world: World, ada: Someone, service: Service, is_wanted: bool) -> None:
    world.change_organization(inline_url_embed_preview=is_wanted)
    ada.says(f"{service.url}page")
    fetch_waiting(world.svc)
    assert bool(service.requests) == is_wanted


def test_bots_quotes_images_and_own_links_have_no_cards(world: World, ada: Someone, service: Service) -> None:
    url = f"{service.url}page"
    world["robo"].says(url, "lunch")
    ada.says(f"{service.url}a.png {world.svc.settings.external_url}/x `{url}`")
    fetch_waiting(world.svc)
    assert service.requests == []
    quoted = ada.says(f"> {url}")
    fetch_waiting(world.svc)
    assert "message_embed" not in html_of(ada, quoted)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=404, body=PAGE, headers={"Content-Type": "text/html"}),
        Answer(body=PAGE, headers={"Content-Type": "text/plain"}),
        page(b"<p>no title"),
        page(b"x" * (3 * 2**20)),
        Answer(status=302, headers={"Location": "/page"}),
        Answer(status=302, headers={"Location": "file:///etc/passwd"}),
    ],
)
def test_a_page_that_is_none_has_no_card_and_is_not_asked_again(
    world: World, ada: Someone, service: Service, answer: Answer
) -> None:
    service.answers = lambda request: answer
    url = f"{service.url}page"
    sent = ada.says(url)
    fetch_waiting(world.svc)
    count = len(service.requests)
    assert "message_embed" not in html_of(ada, sent)
    ada.says(url)
    fetch_waiting(world.svc)
    assert len(service.requests) == count <= 4


def test_no_request_goes_to_private_addresses(make_world: MakeWorld, service: Service) -> None:
    world = make_world()
    world.change_organization(inline_url_embed_preview=True)
    sent = world["ada"].says(
        f"{service.url}page http://localhost:{service.port}/ http://[::1]:{service.port}/"
    )
    fetch_waiting(world.svc)
    assert service.requests == []
    assert "message_embed" not in html_of(world["ada"], sent)


def test_readers_fetch_no_picture_where_pictures_of_others_are_off(
    make_world: MakeWorld, service: Service
) -> None:
    world = make_world(outgoing_private_addresses=True, external_images="off")
    world.change_organization(inline_url_embed_preview=True)
    url = f"{service.url}page"
    sent = world["ada"].says(url)
    fetch_waiting(world.svc)
    assert html_of(world["ada"], sent).endswith(card(url, image=False))


def test_a_message_and_an_account_have_some_cards(world: World, ada: Someone, service: Service) -> None:
    ada.says(" ".join(f"{service.url}{number}" for number in range(MAX_PER_MESSAGE + 2)))
    fetch_waiting(world.svc)
    assert len(service.requests) == MAX_PER_MESSAGE
    service.requests.clear()
    for number in range(cards.MAX_WAITING_OF_ACCOUNT + 2):
        ada.says(f"{service.url}page?{number}")
    world["bea"].says(f"{service.url}page?bea")
    fetch_waiting(world.svc)
    assert len(service.requests) == cards.MAX_WAITING_OF_ACCOUNT + 1


def test_pages_of_several_messages_are_fetched_at_a_time(
    world: World, ada: Someone, service: Service
) -> None:
    """Each page comes only when the other one is asked for, too."""
    both = threading.Barrier(2, timeout=PATIENCE)

    def answer(request: Request) -> Answer:
        both.wait()
        return page()

    service.answers = answer
    urls = [f"{service.url}page?{name}" for name in ("a", "b")]
    sent = [ada.says(url) for url in urls]
    CardFetcher(world.svc).run()
    until(lambda: all(card(url) in html_of(ada, one) for url, one in zip(urls, sent, strict=True)))


def test_an_account_leaves_turns_to_others(world: World, ada: Someone, service: Service) -> None:
    asked, go_on = [], threading.Event()

    def answer(request: Request) -> Answer:
        if "slow" in request.path:
            asked.append(request.path)
            go_on.wait(PATIENCE)
        return page()

    service.answers = answer
    slow = [f"{service.url}page?slow={number}" for number in range(cards.MAX_WAITING_OF_ACCOUNT)]
    sent = [ada.says(url) for url in slow]
    url = f"{service.url}page?bea"
    other = world["bea"].says(url)
    CardFetcher(world.svc).run()
    try:
        until(lambda: card(url) in html_of(ada, other))
        until(lambda: len(asked) == cards.MAX_FETCHING_OF_ACCOUNT)
    finally:
        go_on.set()
    until(lambda: all(card(url) in html_of(ada, one) for url, one in zip(slow, sent, strict=True)))


def test_a_new_process_fetches_the_cards_of_recent_messages(
    world: World, ada: Someone, service: Service
) -> None:
    """A process that ends forgets which messages wait."""
    url = f"{service.url}page"
    old = ada.says(url)
    world.clock.advance(card_fetching.RECENT)
    recent, plain = ada.says(url), ada.says("soup")
    world["robo"].says(url, "lunch")
    while (waiting := world.svc.cards.begin_first()) is not None:
        world.svc.cards.end(waiting)
    line = ada.opens_queue("update_message")
    for _ in range(2):
        card_fetching.want_lost_cards(world.svc)
        fetch_waiting(world.svc)
    assert [html_of(ada, one).endswith(card(url)) for one in (old, recent, plain)] == [False, True, False]
    assert len(service.requests) == len(line.events("update_message")) == 1
    world.change_organization(inline_url_embed_preview=False)
    ada.says(f"{url}?2")
    card_fetching.want_lost_cards(world.svc)
    assert world.svc.cards.count_waiting() == 0


def test_the_threads_begin_with_lost_cards(world: World, ada: Someone, service: Service) -> None:
    url = f"{service.url}page"
    sent = ada.says(url)
    lost = world.svc.cards.begin_first()
    assert lost is not None
    world.svc.cards.end(lost)
    CardFetcher(world.svc).run()
    until(lambda: card(url) in html_of(ada, sent))


def test_a_scheduled_message_gets_cards(world: World, ada: Someone, service: Service) -> None:
    url = f"{service.url}page"
    at = int(world.clock()) + 600
    ada.post(
        "/scheduled_messages",
        type="channel", to=world.id("lunch"), topic="x", content=url, scheduled_delivery_timestamp=at,
    )  # fmt: skip
    world.clock.advance(600)
    deliver_due(world.svc)
    fetch_waiting(world.svc)
    assert card(url) in ada.reads()[-1]["content"]


def test_there_is_room_for_a_number_of_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "MAX_KNOWN", 2)
    known = cards.Cards(lambda: 0)
    for url in "abc":
        known.remember(url, None)
    assert known.known_cards("abc").keys() == {"b", "c"}
