"""The board and the alerts of contrib name what `/metrics` shows after some activity, and nothing else."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import Client

from chatcore.application import units
from chatcore.application.mail import outbox, transport
from chatcore.application.mail.transport import MailRefused
from chatcore.application.sent_mail.sending import send_due
from chatcore.domain.mail.mails import MailKind
from tests.page_programs import ROOT
from tests.worlds.files import uploads
from tests.worlds.organization import MakeWorld, World

TOKEN = "t" * 32
BOARD = json.loads((ROOT / "contrib/grafana/board.json").read_text())
RULES = yaml.safe_load((ROOT / "contrib/prometheus/rules.yml").read_text())
OF_PROMETHEUS: Mapping[str, frozenset[str]] = {"up": frozenset()}
"""What Prometheus itself measures of each server, and its labels."""
OF_EACH_SERVER = {"job", "instance"}
"""Labels that Prometheus adds to everything."""
OF_WORKERS = {"pid"}
"""Labels that `process_…` has if there are several workers."""

Shown = Mapping[str, Mapping[str, set[str]]]
"""Names of samples, their labels, and the values of these."""


def expressions() -> Iterator[tuple[str, str, set[str]]]:
    """Yield each expression, with the panel or the alert that has it, and the labels that are shown of it."""
    for panel in BOARD["panels"]:
        for target in panel.get("targets", ()):
            named = set(re.findall(r"{{(\w+)}}", target["legendFormat"]))
            yield panel["title"], target["expr"].replace("$__rate_interval", "5m"), named
    for group in RULES["groups"]:
        for rule in group["rules"]:
            named = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
            yield rule["alert"], rule["expr"], named


@pytest.fixture
def shown(make_world: MakeWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shown:
    """What the page has after everything that is measured has happened."""
    world = make_world(metrics_token=TOKEN, data_dir=tmp_path, smtp_host="127.0.0.1")
    ada, bea = world["ada"], world["bea"]
    line = ada.opens_queue("message")
    bea.says("soup")
    line.events()
    ada.finds("search:soup")
    uploads(ada, b"soup")
    world["olga"].patch(f"/users/{ada.id}", role=300)
    ada.client.post("/api/v1/fetch_api_key", data={"username": ada.email, "password": "wrong"})
    _give_up_a_mail(world, monkeypatch)
    page = Client(world.application).get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    names: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for family in text_string_to_metric_families(page.text):
        for sample in family.samples:
            of_it = names[sample.name]
            for label, value in sample.labels.items():
                of_it[label].add(value)
    return names


def _give_up_a_mail(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise MailRefused("no such address")

    monkeypatch.setattr(transport, "deliver", refuse)
    units.write(world.svc, outbox.put, MailKind.INVITATION, "x@example.org", nonce="n", inviter="Ada")
    send_due(world.svc)


def selectors(expression: Any) -> list[Any]:
    """Return the selectors of an expression: names with conditions on labels."""
    found = []

    def visit(node: Any) -> None:
        match node:
            case promql_parser.VectorSelector():
                found.append(node)
            case promql_parser.MatrixSelector():
                found.append(node.vector_selector)

    promql_parser.walk(expression, pre_visit=visit)
    return found


def grouping_labels(expression: Any) -> set[str]:
    """Return the labels that aggregations keep."""
    found: set[str] = set()

    def visit(node: Any) -> None:
        if isinstance(node, promql_parser.AggregateExpr) and node.modifier is not None:
            found.update(node.modifier.labels)

    promql_parser.walk(expression, pre_visit=visit)
    return found


def problems(shown: Shown, text: str, named: Set[str] = frozenset()) -> list[str]:
    """Return what an expression names that is not shown; *named* are the labels that are wanted of it."""
    expression = promql_parser.parse(text)
    problems, labels = [], set(OF_EACH_SERVER)
    for selector in selectors(expression):
        if selector.name not in shown and selector.name not in OF_PROMETHEUS:
            problems.append(selector.name)
            continue
        of_it = shown.get(selector.name, {})
        labels |= of_it.keys() | (OF_WORKERS if selector.name.startswith("process_") else set())
        for condition in selector.matchers.matchers:
            if condition.name in OF_EACH_SERVER:
                continue
            values = of_it.get(condition.name)
            is_one_value = condition.op is promql_parser.MatchOp.Equal
            if values is None or (is_one_value and condition.value not in values):
                problems.append(f"{condition.name} of {selector.name}")
    kept = grouping_labels(expression)
    return problems + sorted(kept - labels) + sorted(named - (kept or labels))


def test_each_expression_names_what_there_is(shown: Shown) -> None:
    wrong = {f"{where}: {text}": problems(shown, text, named) for where, text, named in expressions()}
    assert {where: names for where, names in wrong.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    [
        "sum(rate(chatcore_answer_total[5m]))",
        'chatcore_due_waiting{sort="mail"}',
        'chatcore_due_waiting{kind="letters"}',
        "sum by (server) (rate(chatcore_answers_total[5m]))",
        "chatcore_commit_seconds > 1",
    ],
)
def test_a_wrong_name_is_noticed(shown: Shown, text: str) -> None:
    assert problems(shown, text)
