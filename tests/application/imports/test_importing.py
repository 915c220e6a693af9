"""Taking in an archive: what is in the store afterwards, on every store, also when it was broken off."""

import gzip
import json
import os
import signal
import subprocess
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chatcore import open_chat
from chatcore.application.groups import editing
from chatcore.application.groups.editing import NewGroup
from chatcore.application.imports import importing
from chatcore.application.imports.corpus import BadCorpus, Corpus, address_of, read_corpus
from chatcore.application.imports.importing import import_corpus
from chatcore.chat import Chat
from chatcore.domain.errors import ChatError
from chatcore.domain.limits import Limits
from chatcore.settings import Settings
from tests.waiting import until

NOW = 1_800_000_000
DAY = 86_400
SETTINGS = Settings(secret_key=b"s" * 32)


def line(content: str = "Hello", **fields: Any) -> dict[str, Any]:
    return {
        "timestamp": NOW - 900 * DAY,
        "channel": "garden",
        "topic": "seeds",
        "sender": "User 0001",
        "content": content,
        **fields,
    }


GARDEN = [
    line("Who has **tomato** seeds?", timestamp=NOW - 900 * DAY),
    line("I do, @**User 0001**", sender="User 0002", timestamp=NOW - 899 * DAY),
    line("Soup?", channel="kitchen", topic="lunch", sender="Mia, the cook", timestamp=NOW - 2 * DAY),
    line("See #**garden** and https://example.com", channel="kitchen", topic="lunch", timestamp=NOW - DAY),
    line("@**all** and @**User 0002** too", sender="User 0003", timestamp=NOW - DAY),
]


def written(path: Path, lines: Sequence[object]) -> Path:
    text = "".join(json.dumps(one) + "\n" for one in lines)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return path


def corpus_of(path: Path, lines: Sequence[object]) -> Corpus:
    return read_corpus(written(path / "archive.jsonl", lines), Limits(), now=NOW)


@pytest.fixture
def chat(store_url: str) -> Iterator[Chat]:
    settings = replace(SETTINGS, database_url=store_url)
    with open_chat(
        store_url,
        owner_email="owner@example.com",
        owner_name="Olga",
        first_messages=False,
        settings=settings,
        clock=lambda: float(NOW),
    ) as opened:
        yield opened


def contents(chat: Chat, email: str, **options: Any) -> list[str]:
    actor = chat.users.actor(email)
    found = chat.messages.fetch(actor, anchor="newest", num_before=5000, **options)
    return [reading.message.content for reading in found.readings]


# -- rows of the store ------------------------------------------------------------------------------


def test_messages_come_in_as_they_were_sent(chat: Chat, tmp_path: Path) -> None:
    done = import_corpus(chat.services, corpus_of(tmp_path, GARDEN))
    assert (done.messages, done.already, done.users, done.channels) == (5, 0, 4, 2)
    owner = chat.users.actor("owner@example.com")
    readings = chat.messages.fetch(owner, anchor="newest", num_before=100).readings
    assert [
        (
            one.channel_name,
            one.message.topic,
            one.sender.full_name,
            one.message.content,
            one.message.timestamp,
        )
        for one in readings
    ] == [(one["channel"], one["topic"], one["sender"], one["content"], one["timestamp"]) for one in GARDEN]
    first, _, _, link, to_all = (one.message for one in readings)
    assert first.rendered_content == "<p>Who has <strong>tomato</strong> seeds?</p>"
    assert 'class="stream"' in link.rendered_content
    assert (link.has_link, first.has_link) == (True, False)
    assert (to_all.channel_wildcard, first.channel_wildcard) == (True, False)
    ids = [one.message.id for one in readings]
    assert ids == list(range(ids[0], ids[0] + 5))


def test_senders_are_subscribed_from_their_first_message_on(chat: Chat, tmp_path: Path) -> None:
    import_corpus(chat.services, corpus_of(tmp_path, GARDEN))
    second = chat.users.actor("user0002@corpus.example")
    subscriptions = chat.services.storage.read(
        lambda snapshot: snapshot.subscriptions.of_user(second.user_id)
    )
    assert len(subscriptions) == 1
    assert contents(chat, "user0002@corpus.example") == [GARDEN[1]["content"], GARDEN[4]["content"]]
    # The history of a public channel can be read by everybody all the same.
    assert len(contents(chat, "user0002@corpus.example", narrow=[["channel", "garden"]])) == 3


def test_everybody_can_be_subscribed_from_the_beginning(chat: Chat, tmp_path: Path) -> None:
    chat.users.create("gus@example.com", "Gus")
    import_corpus(chat.services, corpus_of(tmp_path, GARDEN), subscribe_everybody=True)
    assert len(contents(chat, "gus@example.com", narrow=[["channels", "public"]])) == 5
    assert len(contents(chat, "user0002@corpus.example")) == 5


def test_all_of_it_counts_as_read(chat: Chat, tmp_path: Path) -> None:
    import_corpus(chat.services, corpus_of(tmp_path, GARDEN), subscribe_everybody=True)
    for email in ("owner@example.com", "user0001@corpus.example", "user0002@corpus.example"):
        assert contents(chat, email, narrow=[["is", "unread"]]) == []
    chat.messages.send(chat.users.actor("owner@example.com"), "News", channel="garden", topic="seeds")
    assert contents(chat, "user0002@corpus.example", narrow=[["is", "unread"]]) == ["News"]


def test_mentions_are_found(chat: Chat, tmp_path: Path) -> None:
    import_corpus(chat.services, corpus_of(tmp_path, GARDEN))
    mentions = [["is", "mentioned"]]
    assert contents(chat, "user0001@corpus.example", narrow=mentions) == [
        GARDEN[1]["content"],
        GARDEN[4]["content"],
    ]
    assert contents(chat, "user0002@corpus.example", narrow=mentions) == [GARDEN[4]["content"]]


def test_times_without_a_date_are_counted_from_the_day_of_their_message(chat: Chat, tmp_path: Path) -> None:
    monday, friday = 1_700_438_400, 1_700_784_000
    lines = [
        line("Soup <time:fri 5pm>, @**User 0001**", timestamp=monday),
        line("Soup <time:10:30>", timestamp=friday),
    ]
    import_corpus(chat.services, corpus_of(tmp_path, lines))
    owner = chat.users.actor("owner@example.com")
    readings = chat.messages.fetch(owner, anchor="newest", num_before=2).readings
    first, second = (one.message.rendered_content for one in readings)
    assert 'datetime="2023-11-24T17:00:00Z"' in first
    assert 'datetime="2023-11-24T10:30:00Z"' in second


def test_groups_and_linkifiers_of_the_organization_are_known(chat: Chat, tmp_path: Path) -> None:
    svc = chat.services
    owner = chat.users.actor("owner@example.com")
    svc.storage.write(lambda tx: tx.linkifiers.add("#(?P<id>[0-9]+)", "https://bugs.example/{id}"))
    editing.create(svc, owner, NewGroup(name="gardeners", description="", members=[owner.user_id]))
    texts = ["@*gardeners*, see #7", "@*role:members* and @_*role:members*"]
    import_corpus(svc, corpus_of(tmp_path, [line(text, topic="#8") for text in texts]))
    assert contents(chat, "owner@example.com", narrow=[["is", "mentioned"]]) == texts[:1]
    first, second = (
        one.message for one in chat.messages.fetch(owner, anchor="newest", num_before=2).readings
    )
    assert 'href="https://bugs.example/7"' in first.rendered_content
    assert first.topic_links == ({"text": "#8", "url": "https://bugs.example/8"},)
    assert second.rendered_content.count("user-group-mention") == 1


def test_words_are_found(chat: Chat, tmp_path: Path) -> None:
    import_corpus(chat.services, corpus_of(tmp_path, GARDEN))
    assert contents(chat, "owner@example.com", narrow=[["search", "tomatoes"]]) == [GARDEN[0]["content"]]


def test_the_last_days_count_as_traffic(chat: Chat, tmp_path: Path) -> None:
    import_corpus(chat.services, corpus_of(tmp_path, GARDEN))
    with_traffic = chat.services.storage.read(
        lambda snapshot: {
            channel.name: snapshot.channels.activities([channel], NOW)[channel.id].weekly_traffic
            for channel in snapshot.channels.all()
        }
    )
    assert with_traffic["garden"] == 1  # one in four weeks, and never nothing
    assert with_traffic["kitchen"] is None  # the channel is younger than a week


def test_open_queues_are_closed_so_that_clients_begin_anew(chat: Chat, tmp_path: Path) -> None:
    owner = chat.users.actor("owner@example.com")
    queue = chat.events.register(owner, event_types=["message"])
    assert queue.queue_id is not None
    import_corpus(chat.services, corpus_of(tmp_path, GARDEN))
    with pytest.raises(ChatError) as refused:
        chat.events.poll(owner, queue.queue_id, queue.last_event_id, dont_block=True)
    assert refused.value.code == "BAD_EVENT_QUEUE_ID"


def test_a_second_file_finds_the_people_and_channels_of_the_first(chat: Chat, tmp_path: Path) -> None:
    import_corpus(chat.services, corpus_of(tmp_path, GARDEN))
    import_corpus(chat.services, corpus_of(tmp_path, [line("More", sender="User 0003"), line("And more")]))
    users, channels = chat.services.storage.read(
        lambda snapshot: (len(snapshot.users.all()), len(snapshot.channels.all()))
    )
    assert (users, channels) == (6, 2)  # with the owner and the organization's bot
    assert contents(chat, "owner@example.com")[-2:] == ["More", "And more"]


def test_the_same_file_again_adds_nothing(chat: Chat, tmp_path: Path) -> None:
    import_corpus(chat.services, corpus_of(tmp_path, GARDEN))
    compressed = read_corpus(written(tmp_path / "same.jsonl.gz", GARDEN), Limits(), now=NOW)
    done = import_corpus(chat.services, compressed)
    assert (done.messages, done.already) == (5, 5)
    assert len(contents(chat, "owner@example.com")) == 5


def test_messages_are_known_by_the_address_of_their_sender(chat: Chat, tmp_path: Path) -> None:
    for domain, name in [("a", "Ada"), ("b", "Ada"), ("a", "Ada L"), ("a", "Lovelace")]:
        address = f"ada@{domain}.example"
        import_corpus(chat.services, corpus_of(tmp_path, [line(sender=name, sender_email=address)]))
    assert contents(chat, "owner@example.com") == ["Hello", "Hello"]


def test_two_imports_of_a_file_at_once_store_it_once(chat: Chat, tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, GARDEN)
    others = iter([lambda: import_corpus(chat.services, corpus)])

    def import_meanwhile(done: int) -> None:
        for other in others:  # once, after the first one has looked for what is missing
            other()

    import_corpus(chat.services, corpus, progress=import_meanwhile)
    assert contents(chat, "owner@example.com") == [one["content"] for one in GARDEN]


@pytest.mark.parametrize("kind", ["private", "archived"])
def test_nothing_is_put_into_a_channel_that_is_not_open(chat: Chat, tmp_path: Path, kind: str) -> None:
    def write(tx: Any) -> None:
        closed = {"private": "invite_only", "archived": "is_archived"}[kind]
        tx.channels.add({"name": "Garden", "date_created": NOW, closed: True})

    chat.services.storage.write(write)
    with pytest.raises(BadCorpus, match=f"{kind} channel 'Garden'"):
        import_corpus(chat.services, corpus_of(tmp_path, GARDEN))
    assert chat.services.storage.read(lambda snapshot: len(snapshot.users.all())) == 2


def test_several_processes_give_the_same(chat: Chat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "BATCH", 7)
    lines = [line(f"*{number}* @**User 0002**", sender=f"User {number % 3:04}") for number in range(100)]
    import_corpus(chat.services, corpus_of(tmp_path, lines), processes=2)
    assert contents(chat, "owner@example.com") == [one["content"] for one in lines]
    narrow = [["is", "mentioned"]]
    assert len(contents(chat, "user0002@corpus.example", narrow=narrow)) == 98  # from its first message on


# -- broken off -------------------------------------------------------------------------------------


class Unplugged(Exception):
    pass


@pytest.mark.parametrize("at", [4, 5])
def test_an_import_that_was_broken_off_goes_on(
    chat: Chat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    monkeypatch.setattr(importing, "BATCH", 2)
    corpus = corpus_of(tmp_path, GARDEN)

    def unplug(done: int) -> None:
        if done == at:
            raise Unplugged

    with pytest.raises(Unplugged):
        import_corpus(chat.services, corpus, progress=unplug)
    announced: list[int] = []
    done = import_corpus(chat.services, corpus, progress=announced.append)
    assert (done.messages, done.already, announced) == (5, at, list(range(at, 6)))
    assert contents(chat, "owner@example.com") == [one["content"] for one in GARDEN]
    assert contents(chat, "owner@example.com", narrow=[["is", "unread"]]) == []


def test_messages_from_muted_users_are_read_before_the_import_is_done(chat: Chat, tmp_path: Path) -> None:
    import_corpus(chat.services, corpus_of(tmp_path, GARDEN))
    owner, muted = (chat.users.actor(name) for name in ("owner@example.com", "user0001@corpus.example"))
    chat.users.mute(owner, muted.user_id)
    lines = [line("Peas?", sender="User 0002"), line("Beans?"), line("Beans, @**User 0002**?")]

    def unplug(done: int) -> None:
        if done == len(lines):
            raise Unplugged

    with pytest.raises(Unplugged):
        import_corpus(chat.services, corpus_of(tmp_path, lines), progress=unplug)
    assert contents(chat, "owner@example.com", narrow=[["is", "unread"]]) == ["Peas?"]
    assert len(contents(chat, "user0002@corpus.example", narrow=[["is", "unread"]])) == 3


KILLED = """
import sys, os
from pathlib import Path
from chatcore import open_chat
from chatcore.application.imports import importing
from chatcore.application.imports.corpus import read_corpus
from chatcore.settings import Settings

importing.BATCH = 50
url, path, processes = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
with open_chat(url, settings=Settings(secret_key=b"s" * 32)) as chat:
    corpus = read_corpus(path, chat.services.limits, now=1_900_000_000)
    importing.import_corpus(
        chat.services, corpus, processes=processes, progress=lambda done: print(done, flush=True)
    )
"""


def test_kill_9_loses_nothing_and_doubles_nothing(chat: Chat, tmp_path: Path) -> None:
    lines = [line(f"message {number}", sender=f"User {number % 50:04}") for number in range(3000)]
    path = written(tmp_path / "archive.jsonl", lines)
    url = chat.services.settings.database_url
    killed = 0
    for after, processes in ((50, 1), (1700, 2)):
        child = subprocess.Popen(
            [sys.executable, "-c", KILLED, url, str(path), str(processes)],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert child.stdout is not None
        for announced in child.stdout:
            if int(announced) >= after:
                child.kill()
                killed += child.wait() == -signal.SIGKILL
                break
        child.stdout.close()
        child.wait()
        until(lambda group=child.pid: not _group_lives(group))  # type: ignore[misc] - its helpers go with it
    assert killed == 2
    done = import_corpus(chat.services, read_corpus(path, Limits(), now=NOW))
    assert 1700 <= done.already < 3000
    assert contents(chat, "owner@example.com") == [one["content"] for one in lines]


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_file_that_shrinks_meanwhile_is_noticed(chat: Chat, tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, GARDEN)
    written(corpus.path, GARDEN[:3])
    with pytest.raises(BadCorpus, match="has changed"):
        import_corpus(chat.services, corpus)


# -- files as they are ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["archive.jsonl", "archive.jsonl.gz"])
def test_a_byte_order_mark_is_passed_over(chat: Chat, tmp_path: Path, name: str) -> None:
    text = BOM_UTF8 + b"".join(json.dumps(one).encode() + b"\r\n" for one in GARDEN)
    path = tmp_path / name
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    corpus = read_corpus(path, Limits(), now=NOW)
    assert import_corpus(chat.services, corpus).messages == len(GARDEN)
    assert import_corpus(chat.services, read_corpus(path, Limits(), now=NOW)).already == len(GARDEN)


def test_characters_that_no_store_holds_end_no_import(chat: Chat, tmp_path: Path) -> None:
    texts = [line("so\0up", topic="a\tb\x07\0c\u2028d"), line("Hi", topic="\0")]
    import_corpus(chat.services, read_corpus(written(tmp_path / "archive.jsonl", texts), Limits(), now=NOW))
    owner = chat.users.actor("owner@example.com")
    found = [one.message for one in chat.messages.fetch(owner, anchor="newest", num_before=10).readings]
    assert [(one.content, one.topic) for one in found] == [("so\ufffdup", "a bc d"), ("Hi", "")]


def test_what_is_no_text_in_a_line_ends_no_import(chat: Chat, tmp_path: Path) -> None:
    """Some programs cut texts within a character, or write a file in pieces that begin with a mark."""
    whole = json.dumps(line("whole \U0001f600 \\ud83d")).encode()
    halved = BOM_UTF8 + json.dumps(line("cut \ud83d")).encode()
    cut = json.dumps(line("Gr\u00fc\u00dfe"), ensure_ascii=False).encode().replace(b"\x9fe", b"e")
    western = json.dumps(line("Gr\u00fc\u00dfe", sender="Zo\u00eb"), ensure_ascii=False).encode("cp1252")
    of_java = json.dumps(line("a \ud83d\ude00 \ud83d"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    path = tmp_path / "archive.jsonl"
    path.write_bytes(b"\n".join([whole, halved, cut, western, of_java]))
    import_corpus(chat.services, read_corpus(path, Limits(), now=NOW))
    texts = [
        "whole \U0001f600 \\ud83d",
        "cut \ufffd",
        "Gr\u00fc\ufffde",
        "Gr\u00fc\u00dfe",
        "a \U0001f600 \ufffd",
    ]
    assert contents(chat, "owner@example.com") == texts
    assert import_corpus(chat.services, read_corpus(path, Limits(), now=NOW)).already == len(texts)


# -- invalid files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("no JSON", "malformed"),
        ("[]", "Expected `object`"),
        ('{"timestamp": 1}', "missing required field `channel`"),
        (json.dumps(line(timestamp="noon")), "Expected `float`"),
        (json.dumps(line(content="  ")), "must not be empty"),
        (json.dumps(line(channel="")), "can't be empty"),
        (json.dumps(line(channel="c" * 61)), "too long"),
        (json.dumps(line(sender="x")), "Name too short"),
        ("\n", "truncated"),
    ],
)
def test_a_bad_line_is_named_with_its_number(tmp_path: Path, bad: str, reason: str) -> None:
    path = tmp_path / "archive.jsonl"
    path.write_text(json.dumps(line()) + "\n" + bad + "\n")
    with pytest.raises(BadCorpus, match=f"archive.jsonl, line 2: .*{reason}"):
        read_corpus(path, Limits(), now=NOW)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_file_in_utf_16_is_refused_with_what_to_do(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "archive.jsonl"
    path.write_bytes(("\ufeff" * (encoding != "utf-16") + json.dumps(line())).encode(encoding))
    with pytest.raises(BadCorpus, match="save it as UTF-8"):
        read_corpus(path, Limits(), now=NOW)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadCorpus, match="no messages"):
        corpus_of(tmp_path, [])


def test_a_compressed_file_that_ends_early_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "archive.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(line()).encode() * 100)[:-20])
    with pytest.raises(BadCorpus, match="cannot be read"):
        read_corpus(path, Limits(), now=NOW)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadCorpus, match="No such file"):
        read_corpus(tmp_path / "nothing.jsonl", Limits(), now=NOW)


# -- addresses --------------------------------------------------------------------------------------


def test_an_address_depends_on_the_name_alone() -> None:
    assert address_of("User 0042") == "user0042@corpus.example"
    names = ["User 0042", "user 0042", "USER 0042", "User 0042 ", "Mia, the cook", "mia the cook", "魏", "王"]
    addresses = [address_of(name) for name in names]
    assert len(set(addresses)) == len(names)
    assert addresses[4].startswith("mia-the-cook-")
    assert all(one.endswith("@corpus.example") for one in addresses)
