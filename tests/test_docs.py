"""Checks of the documentation: its programs run, its links have targets, its lists are complete."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import pytest

from chatcore import configuration
from chatcore.cli import chatcore
from chatcore.cli.options import options_of
from chatcore.domain.limits import SETTABLE, Limits
from chatcore.domain.messages.flags import CHANGEABLE_NAMES, FLAGS_BY_NAME
from chatcore.domain.narrow.parse import ALIASES, OPERATORS, parse
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.rate_limits import RULES
from chatcore.events.happened import AnyEvent
from chatcore.http.openapi import describe, recorded_examples
from chatcore.http.routes import ROUTES
from chatcore.settings import Settings
from chatcore.settings.rules import read_limits
from tests import errors_page
from tests.page_programs import PAGES, ROOT, programs
from tests.test_cli import serving
from tests.waiting import PATIENCE, until

RULES_PAGES = ("narrowing-a-list", "rules-flags", "rules-groups", "rules-roles")
WITH_PROGRAMS = [
    ROOT / "README.md",
    *(ROOT / "docs" / f"{name}.md" for name in ("embedding", *RULES_PAGES)),
]
"""Pages with programs that print something; the others are served and tested by tests of their own."""


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("page", WITH_PROGRAMS, ids=name_of)
def test_the_programs_of_a_page_print_what_it_says(page: Path) -> None:
    printed = io.StringIO()
    with redirect_stdout(printed):
        for program in programs(page):
            exec(compile(program, str(page), "exec"), {"__name__": "__main__"})
    promised = "".join(re.findall(r"It prints[\w ,]*:\n\n```text\n(.*?)```", page.read_text(), re.DOTALL))
    assert printed.getvalue() == promised


LOADED = """
import sys
before = set(sys.modules)
import {module}
after = set(sys.modules) - before
print(len([name for name in after if name.partition(".")[0] == "chatcore"]))
print(sorted({{name.partition(".")[0] for name in after}} - set(sys.stdlib_module_names) - {{"chatcore"}}))
"""


def test_the_rules_load_what_their_page_says() -> None:
    page = (ROOT / "docs" / "rules.md").read_text()
    rows = re.findall(r"^\| \[.*\]\((.*)\.md\) \| `(.*)` \| (\d+) \|", page, re.MULTILINE)
    assert {name for name, _, _ in rows} == {*RULES_PAGES}
    for _, module, number in rows:
        command = [sys.executable, "-c", LOADED.format(module=module)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
        assert done.stdout.splitlines() == [number, "[]"], module


OTHERS = """
import sys
before = set(sys.modules)
exec(sys.argv[1])
print("-- loaded:")
ours = ("chatcore", "chatcore.public_names", "chatcore.domain")
for name in set(sys.modules) - before:
    if name.partition(".")[0] not in sys.stdlib_module_names and not (
        name in ours or name.startswith("chatcore.domain.")
    ):
        print(name)
"""


@pytest.mark.parametrize("page", RULES_PAGES)
def test_the_programs_of_the_rules_load_nothing_else(page: str, tmp_path: Path) -> None:
    for program in programs(ROOT / "docs" / f"{page}.md"):
        command = [sys.executable, "-c", OTHERS, program]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}
        )
        assert done.stdout.partition("-- loaded:\n")[2] == ""


@pytest.mark.usefixtures("elsewhere")
def test_the_first_program_of_embedding_can_be_run_again(capsys: pytest.CaptureFixture[str]) -> None:
    page = ROOT / "docs" / "embedding.md"
    printed = []
    for _ in range(2):
        exec(compile(programs(page)[0], str(page), "exec"), {"__name__": "__main__"})
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


def test_embedding_an_organization_takes_fifteen_lines() -> None:
    first = programs(ROOT / "docs" / "embedding.md")[0]
    assert len([line for line in first.splitlines() if line]) <= 15


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


PARTS = (
    *("chatcore/", "storage_backends/", "tests/"),
    *("domain/", "events/", "markup/", "storage/", "application/", "http/"),
)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_that_a_page_names_exist(page: Path) -> None:
    places = (ROOT, ROOT / "chatcore")
    for path in re.findall(r"`((?:\w+/)+\w*(?:\.py)?)`", page.read_text()):
        if path.startswith(PARTS):
            assert any((place / path).exists() for place in places), path


def test_every_setting_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sphinx", reason="the page is made for the site: pip install 'chatcore[docs]'")
    monkeypatch.syspath_prepend(ROOT / "docs")
    settings = import_module("site_pages.settings")
    explained = re.findall(r"^\| `(CHATCORE_\w+)` \|.*\| (.+) \|$", settings.text(), re.MULTILINE)
    of_serve = set(dict(options_of(chatcore.commands["serve"], "CHATCORE_SERVE")))
    assert {variable for variable, _ in explained} == {*configuration.VARIABLE_READERS, *of_serve}


def test_every_limit_that_can_be_set_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sphinx", reason="the page is made for the site: pip install 'chatcore[docs]'")
    monkeypatch.syspath_prepend(ROOT / "docs")
    text = import_module("site_pages.limits").text()
    explained = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \| (.+) \|$", text, re.MULTILINE)
    usual = Limits()
    assert [(name, int(default), int(least), int(most)) for name, default, least, most, _ in explained] == [
        (name, getattr(usual, name), *bounds) for name, bounds in SETTABLE.items()
    ]
    page = (ROOT / "docs" / "limits.md").read_text()
    (program,) = re.findall(r"```toml\n(\[limits\].*?)```", page, re.DOTALL)
    assert Settings(limits=tomllib.loads(program)["limits"])


def test_every_rate_limit_is_explained() -> None:
    page = (ROOT / "docs" / "limits.md").read_text()
    section = page.partition("\n## Requests\n")[2].partition("\n## ")[0]
    explained = re.findall(r"^\| `(\w+)` \| `([^`]+)` \| (.+) \|$", section, re.MULTILINE)
    assert explained == [(rule.name, rule.limit, rule.about) for rule in RULES.values()]
    (program,) = re.findall(r"```toml\n(.*?)```", section, re.DOTALL)
    given = tomllib.loads(program)["rate_limits"]
    assert given.keys() <= RULES.keys()
    assert all(read_limits(text) or text == "off" for text in given.values())


def test_the_description_of_the_api_is_up_to_date() -> None:
    written = json.loads((ROOT / "docs" / "openapi.json").read_text())
    assert written == json.loads(json.dumps(describe(ROUTES, recorded_examples()))), "run: make openapi"


def test_every_decision_has_its_parts_in_order() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))
    for page in pages:
        parts = re.findall(r"^\*\*([A-Z]\w+)\.\*\*", page.read_text(), re.MULTILINE)
        assert re.fullmatch("(Rejected )?Choice Costs", " ".join(parts)), page.name


# -- the tour of the HTTP API -----------------------------------------------------------------------

TOUR = (ROOT / "docs" / "http-tour.md").read_text()


def rows(heading: str) -> dict[str, list[str]]:
    """The table under a heading: what is named first in each row, and its other cells."""
    section = TOUR.partition(f"### {heading}\n")[2].partition("\n#")[0]
    found = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    return {first.strip("`"): rest for first, *rest in found}


NOBODY: Any = None
"""A directory in which nothing is looked up."""


def test_the_tour_lists_every_operator() -> None:
    table = rows("Narrow operators")
    assert table.keys() == OPERATORS.keys()
    for alias, operator in ALIASES.items():
        assert f"`{alias}`" in table[operator][-1], alias
    for operator in ("channels", "is", "in", "has"):
        for operand in re.findall(r"`([\w-]+)`", table[operator][0]):
            parse([[operator, operand]], NOBODY, me=None)


def test_the_tour_lists_every_flag() -> None:
    table = rows("Names of flags")
    assert table.keys() == FLAGS_BY_NAME.keys() | {"wildcard_mentioned"}
    assert {name for name, rest in table.items() if rest[0] == "people"} == CHANGEABLE_NAMES


def test_the_tour_lists_every_type_of_event() -> None:
    types = {kind.type for kind in get_args(AnyEvent) if kind.type}
    assert rows("Types of events").keys() == types | {"heartbeat"}


def documents(text: str) -> list[Any]:
    """JSON documents, one after another."""
    found, decode = [], json.JSONDecoder().raw_decode
    while text := text.strip():
        document, end = decode(text)
        found.append(document)
        text = text[end:]
    return found


@pytest.mark.usefixtures("elsewhere")
def test_the_tour_runs_against_a_demo() -> None:
    if shutil.which("curl") is None:
        pytest.skip("there is no curl to try it with")
    with serving("--demo") as server:
        script = "".join(re.findall(r"```sh\n(.*?)```", TOUR, re.DOTALL))
        script = script.replace("http://127.0.0.1:9991", server.url)
        done = subprocess.run(
            ["sh", "-euc", script], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, done.stderr
        answers = documents(done.stdout)
    shown = len(re.findall(r"^(?:ada|gus|curl) ", script, re.MULTILINE))
    assert [answer["msg"] for answer in answers if answer["result"] != "success"] == []
    assert [answer.get("ignored_parameters_unsupported") for answer in answers] == [None] * shown
    pages = [answer["messages"] for answer in answers if "found_anchor" in answer]
    fetched = [[one["content"] for one in page] for page in pages]
    assert fetched[0] == ["<p>The <strong>apples</strong> are ripe</p>"]
    assert pages[1]
    assert not any("read" in one["flags"] or one["sender_email"] == "mia@demo.example" for one in pages[1])
    assert fetched[2][-1] == "<p>Do you have a ladder?</p>"
    assert fetched[3][-1:] == fetched[4] == fetched[0]
    (ladders,) = [answer["message"] for answer in answers if "message" in answer]
    assert ladders["subject"] == "ladders"
    assert "<strong>ladder</strong> for" in ladders["content"]
    assert 'href="https://allotment.example/plots/7"' in ladders["content"]
    assert [one["emoji_name"] for one in ladders["reactions"]] == ["sprout"]
    polled = [answer["events"] for answer in answers if "events" in answer]
    heard = [[event["message"]["content"] for event in events] for events in polled]
    assert heard == [["<p>Who <em>helps</em>?</p>"], ["<p>At <em>noon</em></p>"]]


# -- the tutorial and the bot -----------------------------------------------------------------------


def commands(page: str, beginning: str) -> str:
    """The lines of a page for a shell that begin so."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
    (text,) = [block for block in blocks if block.startswith(beginning)]
    return text


def shell(script: str, url: str = "") -> str:
    chatcore_here = f'chatcore() {{ "{sys.executable}" -m chatcore.cli "$@"; }}\n'
    script = chatcore_here + script.replace("http://127.0.0.1:9991", url)
    done = subprocess.run(
        ["sh", "-euc", script], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.usefixtures("elsewhere")
def test_the_tutorial_ends_with_people_and_a_bot_that_answers() -> None:
    if shutil.which("curl") is None:
        pytest.skip("there is no curl to try it with")
    shell(commands("tutorial.md", "chatcore init"))
    passwords = commands("tutorial.md", "chatcore user password")
    shell("\n".join(f"echo correct horse | {line}" for line in passwords.splitlines()))
    ada_key = re.findall(r"^api_key +(\S+)$", shell("chatcore user key ada@example.com"), re.MULTILINE)[0]
    (bot,) = programs(ROOT / "docs" / "a-bot-over-http.md")
    with serving() as server:
        assert json.loads(shell(commands("tutorial.md", "key="), server.url))["result"] == "success"
        making, starting = commands("a-bot-over-http.md", "curl").splitlines()
        made = json.loads(shell(making.replace("KEY", ada_key), server.url))
        variables = dict(pair.split("=", 1) for pair in starting.split() if "=" in pair)
        assert variables.keys() == {"CHAT_URL", "BOT_EMAIL", "BOT_KEY"}
        variables |= {"CHAT_URL": server.url, "BOT_KEY": made["api_key"]}
        process = subprocess.Popen([sys.executable, "-c", bot], env={**os.environ, **variables})  # noqa: TID251
        try:
            ada = ("ada@example.com", ada_key)
            queue = server.call("/register", ada, event_types='["message"]')["queue_id"]

            def hears_an_answer() -> bool:
                """Ask again each time: the bot does not say when it listens."""
                assert process.poll() is None
                server.call("/messages", ada, type="direct", to=json.dumps([made["user_id"]]), content="soup")
                poll = f"/events?queue_id={queue}&last_event_id=-1"
                events = server.call(poll, ada)["events"]
                return any("written 4 characters" in event["message"]["content"] for event in events)

            until(hears_an_answer)
        finally:
            process.kill()
            process.wait()


def test_the_page_of_stores_has_all_protocols() -> None:
    page = (ROOT / "docs" / "another-store.md").read_text()
    rows = dict(re.findall(r"^\| `storage/(\w+)(?:\.py)?` \| (.*) \|$", page, re.MULTILINE))
    storage = ROOT / "chatcore" / "storage"
    for file in storage.rglob("*.py"):
        room = file.relative_to(storage).parts[0].removesuffix(".py")
        if room not in ("conformance", "files", "slices"):  # files are elsewhere, slices are the server's
            for name in re.findall(r"^class (\w+)\(.*\bProtocol\):", file.read_text(), re.MULTILINE):
                assert f"`{name}`" in rows[room] or name == "Storage", name  # a part of `Store`


def test_every_parameter_is_described() -> None:
    for path, operations in describe(ROUTES)["paths"].items():
        for operation in operations.values():
            named = {one["name"]: one for one in operation.get("parameters", ())}
            for form in operation.get("requestBody", {}).get("content", {}).values():
                named |= form["schema"].get("properties", {})
            assert [name for name, one in named.items() if not one.get("description")] == [], path


def test_names_and_numbers_are_explained() -> None:
    paths = describe(ROUTES)["paths"]

    def form(path: str, method: str) -> dict[str, Any]:
        content: dict[str, Any] = paths[f"/api/v1{path}"][method]["requestBody"]["content"][
            "multipart/form-data"
        ]
        schema: dict[str, Any] = content["schema"]
        return schema

    for name, setting in form("/settings", "patch")["properties"].items():
        for value in setting.get("enum", ()):
            assert isinstance(value, str) or f" {value} " in setting["description"], name
    groups = form("/user_groups/create", "post")["properties"]
    assert (
        "By default the creator; never `role:internet`, `role:everyone`."
        in (groups["can_manage_group"]["description"])
    )
    assert "`role:owners`" in groups["can_mention_group"]["description"]
    field_data = form("/realm/profile_fields", "post")["properties"]["field_data"]["description"]
    assert all(word in field_data for word in ('{"key": {"text"', "%(username)s", "github"))
    for path in ("/user_uploads", "/users/me/avatar", "/realm/emoji/{emoji_name}"):
        assert form(path, "post")["required"] == ["filename"]


def test_the_page_of_errors_has_all_classes_and_codes() -> None:
    codes = {line.split("`")[1] for line in errors_page.text().splitlines()[2:]}
    assert {error.code for error in errors_page.errors()} < codes
    assert all(errors_page.meaning(error).strip(".") for error in errors_page.errors())


def test_plots_show_all_figures_and_are_on_a_page(tmp_path: Path) -> None:
    if find_spec("pygal") is None:
        pytest.skip("pip install 'chatcore[bench]'")
    kept = sorted((ROOT / "docs" / "plots").glob("*.json"))
    copies = [Path(shutil.copy(file, tmp_path)) for file in kept]
    subprocess.run([sys.executable, "-m", "benchmarks.plots", *copies], cwd=ROOT, check=True)
    for file, copy in zip(kept, copies, strict=True):
        figures = json.loads(file.read_text())
        for picture in (file.with_suffix(".svg"), copy.with_suffix(".svg")):
            drawn = picture.read_text()
            texts = {
                "".join(one.itertext()).strip()
                for one in ElementTree.fromstring(drawn).iter()
                if one.tag.endswith("text")
            }
            assert {one["what"] for one in figures} <= texts
            if "size" in figures[0]:
                assert {f"{one['size']:,}" for one in figures} <= texts
                assert drawn.count("<circle") == len(figures)
            else:
                assert {f"{one['median']:g}" for one in figures} <= texts
            assert "<script" not in drawn
        assert f"](plots/{file.stem}.svg)" in (ROOT / "docs" / "benchmarks.md").read_text()


def test_the_page_of_the_audit_log_has_all_kinds_of_entries() -> None:
    table = [line for line in (ROOT / "docs" / "audit-log.md").read_text().splitlines() if line[:1] == "|"]
    assert sorted(re.findall(r"`(\w+)`", "".join(table))) == sorted(AuditKind)
