"""Pages of remembered messages are those that the store gives, for each reader and each form."""

import random
from sys import getsizeof
from typing import Any

import msgspec
import pytest

from chatcore.domain.groups.groups import GroupSetting, SystemGroup
from chatcore.http.endpoints.messages import encoding
from chatcore.storage.generations import Generations
from chatcore.storage.messages.sizes import SIZE_OF_PART, size_of_parts
from storage_backends.sql import memory
from storage_backends.sql.messages.messages import Messages
from tests.worlds.organization import Someone, World

FORMS: list[dict[str, Any]] = [
    {},
    {"apply_markdown": False},
    {"client_gravatar": False, "allow_empty_topic_name": True},
]


@pytest.fixture
def world(world: World) -> World:
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": members})
    world.open_to_the_web()
    world["cem"].joins("lunch", "plaza")
    return world


def pages(world: World) -> list[dict[str, Any]]:
    """Fetch what each reader gets, in each form."""
    lunch = {"operator": "channel", "operand": world.id("lunch")}
    people = [world[name] for name in ("ada", "bea", "gus", "olga")]
    found = [one.page(**form) for one in people for form in FORMS]
    found += [world["olga"].page(lunch, **form) for form in FORMS]
    found += [world["olga"].page(["search", "soup"], lunch)]
    return [*found, world.nobody.page(["channels", "web-public"])]


def pages_of_the_store(world: World, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    with monkeypatch.context() as patch:
        patch.setattr(encoding, "REMEMBERED", Generations(0))
        patch.setattr(memory, "MESSAGES", Generations(0))
        return pages(world)


def act(world: World, chance: random.Random, sent: list[int]) -> None:
    """Do something that shows in pages."""
    name, places = chance.choice(["ada", "bea", "cem"]), [world.id("lunch"), world.id("plaza")]
    someone, message, number = world[name], chance.choice(sent), chance.randrange(10**6)
    actions = {
        "say": lambda: sent.append(someone.says(f"soup {number}", chance.choice(places), "")),
        "write": lambda: someone.writes(f"tea {number}", *chance.sample(["ada", "bea", "gus"], 2)),
        "edit": lambda: change(world["olga"], message, content=f"stew {number}"),
        "move": lambda: change(world["olga"], message, topic=f"topic {number % 3}"),
        "react": lambda: someone.request("POST", f"/messages/{message}/reactions", emoji_name="tada"),
        "star": lambda: someone.request(
            "POST", "/messages/flags", messages=[message], op="add", flag="starred"
        ),
        "rename": lambda: world["olga"].patch(f"/users/{someone.id}", full_name=f"{name} {number}"),
        "hide": lambda: someone.patch("/settings", email_address_visibility=chance.choice([1, 3, 5])),
        "name": lambda: world["olga"].patch(
            f"/streams/{world.id('lunch')}", description="", new_name=f"lunch {number}"
        ),
        "history": lambda: world["olga"].patch(
            "/realm", message_edit_history_visibility_policy=chance.choice(["all", "moves", "none"])
        ),
        "delete": lambda: world["olga"].request("DELETE", f"/messages/{message}"),
    }
    actions[chance.choice(sorted(actions))]()


def change(someone: Someone, message_id: int, **parts: Any) -> None:
    someone.request("PATCH", f"/messages/{message_id}", **parts)


@pytest.mark.parametrize("seed", range(3))
def test_pages_are_those_of_the_store(world: World, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    chance, sent = random.Random(seed), [world["ada"].says("first"), world["cem"].says("second", "plaza")]
    for _ in range(25):
        act(world, chance, sent)
        remembered = pages(world)
        assert remembered == pages(world) == pages_of_the_store(world, monkeypatch)


def test_what_was_encoded_once_is_not_made_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world["ada"].says("soup")
    before = world["ada"].page()
    monkeypatch.setattr(encoding, "message_shape", None)
    assert world["ada"].page() == before
    world["ada"].request("POST", "/messages/flags", messages=[1], op="add", flag="starred")
    assert world["bea"].page()["messages"][0]["content"] == before["messages"][0]["content"]


def test_a_direct_message_is_to_the_other_person_for_each_of_two(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    ada.writes("soup", "bea")
    for _ in range(2):
        assert [one.page(["is", "dm"])["messages"][-1]["recipient_id"] for one in (ada, bea)] == [
            bea.id,
            ada.id,
        ]


def test_what_was_read_by_its_id_is_read_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = [world["ada"].says(text) for text in ("soup", "stew")]
    assert world["ada"].finds(message_ids=sent) == sent
    monkeypatch.setattr(Messages, "by_ids", lambda *_: pytest.fail("they were read again"))
    assert world["bea"].finds(message_ids=sent) == sent


class Noted(Generations[Any, Any]):
    """Notes what each value was said to weigh."""

    def __init__(self) -> None:
        super().__init__(2**24)
        self.sizes: dict[Any, int] = {}

    def put(self, key: Any, value: Any, size: int) -> None:
        self.sizes[key] = size
        super().put(key, value, size)


def test_a_remembered_message_weighs_as_much_as_its_texts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered = Noted()
    monkeypatch.setattr(memory, "MESSAGES", remembered)
    world["ada"].says("soup" * 2000)
    edited = world["ada"].says("soup")
    for content in ("\U0001f372" + "soup" * 2000, "soup"):
        world["ada"].patch(f"/messages/{edited}", content=content)
    world["ada"].page()
    found = {key: remembered.get(key) for key in remembered.sizes}
    messages = [(known.message, remembered.sizes[key]) for key, known in found.items() if known is not None]
    assert max(len(message.content) for message, _ in messages) == len("soup" * 2000)
    for message, size in messages:
        texts = [message.content, message.rendered_content]
        for edit in message.edits:
            texts += [edit.prev_content, edit.prev_rendered_content]
        assert size > sum(map(getsizeof, texts))
        linked = message._replace(topic_links=({"text": "s", "url": "s" * 2000},))
        assert size_of_parts(linked) > size_of_parts(message) + 2000 + SIZE_OF_PART
    assert max(size for _, size in messages) > 4 * len("soup" * 2000)


def test_all_forms_of_a_message_count_with_all_its_texts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered = Noted()
    monkeypatch.setattr(encoding, "REMEMBERED", remembered)
    world["ada"].says("soup" * 2000)
    edited = world["ada"].says("stew" * 2000)
    for number in range(3):
        world["ada"].patch(f"/messages/{edited}", content=f"{number}" * 8000)
    world["olga"].patch("/realm", message_edit_history_visibility_policy="none")
    for form in FORMS:
        world["ada"].page(**form)
    for key, size in remembered.sizes.items():
        forms = remembered.get(key)
        assert forms is not None
        texts = sum(len(encoded) for _, encoded in forms)
        for message in {id(made_of[0]): made_of[0] for made_of, _ in forms}.values():
            texts += len(message.content) + len(message.rendered_content)
            texts += sum(len(edit.prev_content) + len(edit.prev_rendered_content) for edit in message.edits)
        assert size >= texts
    counts = {key[0]: len(remembered.get(key) or ()) for key in remembered.sizes}
    assert counts[edited] == len(FORMS)
    world["ada"].patch(f"/messages/{edited}", content="tea")
    world["ada"].page()
    assert [len(remembered.get(key) or ()) for key in remembered.sizes if key[0] == edited] == [1]


def test_forms_hold_no_texts_of_earlier_readings(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    remembered = Noted()
    monkeypatch.setattr(encoding, "REMEMBERED", remembered)
    edited = world["ada"].says("stew" * 2000)
    for number in range(3):
        world["ada"].patch(f"/messages/{edited}", content=f"{number}" * 8000)
    for form in FORMS:
        monkeypatch.setattr(memory, "MESSAGES", Generations(2**24))
        world["ada"].page(**form)
    for key, size in remembered.sizes.items():
        forms = remembered.get(key)
        assert forms is not None
        held: dict[int, str] = {}
        for made_of, _ in forms:
            message, edits = made_of[0], made_of[4]
            texts = [message.content, message.rendered_content]
            for edit in (*message.edits, *edits):
                texts += [edit.prev_content, edit.prev_rendered_content]
            held |= {id(text): text for text in texts if text is not None}
        assert size >= sum(map(getsizeof, held.values())) + sum(len(encoded) for _, encoded in forms)


def test_forms_share_the_message_that_was_read_last(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    remembered = Noted()
    monkeypatch.setattr(encoding, "REMEMBERED", remembered)
    sent = world["ada"].says("stew" * 2000)
    for form in FORMS:
        monkeypatch.setattr(memory, "MESSAGES", Generations(2**24))
        world["ada"].page(**form)
    ((_, forms),) = [(key, remembered.get(key)) for key in remembered.sizes if key[0] == sent]
    assert forms is not None
    assert (len(forms), len({id(made_of[0]) for made_of, _ in forms})) == (len(FORMS), 1)


def test_a_message_has_a_few_forms_at_most(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    remembered = Noted()
    monkeypatch.setattr(encoding, "REMEMBERED", remembered)
    sent = world["ada"].says("soup", "lunch", "")
    for number in range(encoding.FORMS + 2):
        world["ada"].patch("/settings", full_name=f"Ada {number}")
        world["ada"].page()
    ((_, forms),) = [(key, remembered.get(key)) for key in remembered.sizes if key[0] == sent]
    assert forms is not None
    assert len(forms) == encoding.FORMS
    names = [msgspec.json.decode(bytes(encoded) + b"}")["sender_full_name"] for _, encoded in forms]
    assert names == [f"Ada {number}" for number in reversed(range(2, encoding.FORMS + 2))]


def test_reactions_and_people_count(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    remembered = Noted()
    monkeypatch.setattr(encoding, "REMEMBERED", remembered)
    together = ("ada", "bea", "cem", "olga")
    of_two, of_four = world["ada"].writes("soup", "bea"), world["ada"].writes("soup", *together[1:])
    liked, plain = world["ada"].says("soup"), world["ada"].says("soup")
    for name in together[:2]:
        world[name].request("POST", f"/messages/{liked}/reactions", emoji_name="tada")
    world["ada"].page()
    sizes = {key[0]: size for key, size in remembered.sizes.items()}
    json = {key[0]: len((remembered.get(key) or ())[0][1]) for key in remembered.sizes}
    besides = {message_id: sizes[message_id] - json[message_id] for message_id in sizes}
    assert besides[plain] > encoding.SIZE_OF_FORM > 100
    assert besides[liked] - besides[plain] == 2 * SIZE_OF_PART > 200
    assert besides[of_four] - besides[of_two] == 2 * SIZE_OF_PART > 200


def test_people_of_a_group_share_the_form_of_its_messages(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered = Noted()
    monkeypatch.setattr(encoding, "REMEMBERED", remembered)
    together = ("ada", "bea", "cem", "olga")
    of_group, of_two = world["ada"].writes("soup", *together[1:]), world["ada"].writes("tea", "bea")
    for name in together:
        world[name].page()
    forms = {key[0]: len(remembered.get(key) or ()) for key in remembered.sizes}
    assert (forms[of_group], forms[of_two]) == (1, 2)
