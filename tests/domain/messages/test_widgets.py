"""Texts that are widgets, and the actions on them."""

import json
from typing import Any

import pytest

from chatcore.domain.errors import BadRequest
from chatcore.domain.limits import Limits
from chatcore.domain.messages.widgets import Widget, require_act, widget_to_send


def poll(question: str, *options: str) -> dict[str, Any]:
    return {"widget_type": "poll", "extra_data": {"question": question, "options": list(options)}}


def todo(title: str, *tasks: tuple[str, str]) -> dict[str, Any]:
    items = [{"task": task, "desc": description} for task, description in tasks]
    return {"widget_type": "todo", "extra_data": {"task_list_title": title, "tasks": items}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/poll", poll("")),
        ("/poll Suppe oder Brot? ☕", poll("Suppe oder Brot? ☕")),
        ("/poll  soup?  \na\n\n  * b \n- c d\n-\n*e*", poll("soup?", "a", "b", "c d", "e*")),
        ("/poll\nyes\nno", poll("", "yes", "no")),
        ("/poll\tsoup?", poll("soup?")),
        ("/todo", todo("")),
        ("/todo for lunch\nbread\n- soup: hot: very\n* salad:", todo(
            "for lunch", ("bread", ""), ("soup", "hot: very"), ("salad:", "")
        )),
        ("/polls soup?", None),
        ("/Poll soup?", None),
        (" /poll soup?", None),
        ("what is /poll ?", None),
        ("/me eats", None),
        ("poll", None),
        ("/", None),
    ],
)  # fmt: skip
def test_some_texts_are_widgets(text: str, expected: dict[str, Any] | None) -> None:
    written = widget_to_send(text, None, Limits())
    assert (None if written is None else json.loads(written)) == expected


def test_the_longest_texts_are_widgets_too() -> None:
    limits = Limits()
    for command, line in (("/poll", '"'), ("/todo", "a"), ("/poll", "\x02")):
        text = f"{command}\n" + f"{line}\n" * (limits.max_message_length // 2)
        written = widget_to_send(text[: limits.max_message_length], None, limits)
        assert written is not None
        assert len(written) < limits.max_submessages_length


FORM = {"type": "choices", "heading": "Soup?", "choices": [{"reply": "yes"}]}


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("form", FORM),
        ("poll", {"question": "", "options": []}),
        ("todo", {"task_list_title": "a", "tasks": [{"task": "b", "desc": ""}]}),
    ],
)
def test_a_given_widget_goes_before_the_text(kind: str, data: dict[str, Any]) -> None:
    written = widget_to_send("/poll x", Widget(kind, data), Limits())
    assert written is not None
    assert json.loads(written) == {"widget_type": kind, "extra_data": data}


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("", FORM),
        ("x" * 101, FORM),
        ("\ud800", FORM),
        ("form", {"a": "\ud800"}),
        ("form", {"a": float("nan")}),
        ("form", {"a": "x" * 10_000}),
        ("poll", FORM),
        ("poll", {"question": "a"}),
        ("poll", {"question": 1, "options": []}),
        ("poll", {"question": "a", "options": [1]}),
        ("poll", {"question": "a", "options": "b"}),
        ("poll", {"question": "a", "options": [], "x" * 999: 1}),
        ("todo", {"task_list_title": "a", "tasks": ["b"]}),
        ("todo", {"task_list_title": "a", "tasks": [{"task": "b"}]}),
        ("todo", {"task_list_title": "a", "tasks": [{"task": "b", "desc": "", "more": ""}]}),
    ],
)
def test_other_widgets_are_refused(kind: str, data: dict[str, Any]) -> None:
    with pytest.raises(BadRequest) as refused:
        widget_to_send("x", Widget(kind, data), Limits())
    assert len(refused.value.message) <= 200


POLL, TODO, FORM_WIDGET = (Widget(kind, {}) for kind in ("poll", "todo", "form"))
VOTE = {"type": "vote", "key": "canned,0", "vote": 1}
OPTION = {"type": "new_option", "option": "bread", "idx": 1000}
QUESTION = {"type": "question", "question": "Soup?"}
TASK = {"type": "new_task", "key": 0, "task": "cook", "desc": "", "completed": False}
STRIKE = {"type": "strike", "key": "7,1"}
TITLE = {"type": "new_task_list_title", "title": "Lunch"}


@pytest.mark.parametrize(
    ("widget", "said", "who"),
    [
        (POLL, VOTE, "all"),
        (POLL, {**VOTE, "vote": -1}, "all"),
        (POLL, OPTION, "all"),
        (POLL, QUESTION, "the author"),
        (TODO, TASK, "all"),
        (TODO, STRIKE, "all"),
        (TODO, TITLE, "the author"),
        (FORM_WIDGET, {"type": "whatever"}, "all"),
        *((FORM_WIDGET, wrong, "nobody") for wrong in ("whatever", None, [], 1)),
        *((POLL, {**VOTE, "vote": wrong}, "nobody") for wrong in (0, 2, 1.0, True, "1", None)),
        *((POLL, {**OPTION, "idx": wrong}, "nobody") for wrong in (-1, 1001, True, "1", 1.0)),
        *((TODO, {**TASK, "key": wrong}, "nobody") for wrong in (-1, 1001, False, "1")),
        *((TODO, {**TASK, "completed": wrong}, "nobody") for wrong in (0, "no")),
        (POLL, {**VOTE, "more": 1}, "nobody"),
        (POLL, {"type": "vote", "key": "canned,0"}, "nobody"),
        (POLL, {**VOTE, "key": 1}, "nobody"),
        (POLL, {**QUESTION, "question": ["Soup?"]}, "nobody"),
        (POLL, STRIKE, "nobody"),
        (TODO, VOTE, "nobody"),
        (TODO, {"type": ["strike"], "key": "7,1"}, "nobody"),
        (TODO, {"key": "7,1"}, "nobody"),
        (TODO, [STRIKE], "nobody"),
        (POLL, "vote", "nobody"),
        (POLL, None, "nobody"),
    ],
)
def test_actions_on_widgets(widget: Widget, said: object, who: str) -> None:
    for is_author, may in ((True, who != "nobody"), (False, who == "all")):
        if may:
            require_act(widget, said, is_author=is_author)
        else:
            with pytest.raises(BadRequest):
                require_act(widget, said, is_author=is_author)
