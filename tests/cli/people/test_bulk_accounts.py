"""`chatcore user create --from`: all accounts of a file, or none."""

import json
from codecs import BOM_UTF8
from pathlib import Path

import pytest

from chatcore.cli.people import bulk_accounts
from tests.test_cli import INIT, error_line, run

CREATE = ("user", "create", "--from", "people.csv")


@pytest.fixture(autouse=True)
def founded(home: Path) -> None:
    run(*INIT)


def people(text: str) -> None:
    Path("people.csv").write_bytes(BOM_UTF8 + text.encode())


def addresses() -> dict[str, str]:
    return {one["email"]: one["role"] for one in json.loads(run("user", "list", "--json").stdout)}


def test_all_accounts_of_a_file_are_created() -> None:
    people('name,email,role\nGus Berg,gus@example.com,moderator\n"Fox, Bea",bea@example.com,\n\n')
    result = run(*CREATE, "--json")
    assert result.exit_code == 0, result.output
    accounts = json.loads(result.stdout)
    assert [one["email"] for one in accounts] == ["gus@example.com", "bea@example.com"]
    key = json.loads(run("user", "key", "bea@example.com", "--json").stdout)
    assert key == accounts[1]
    assert addresses() == addresses() | {"gus@example.com": "moderator", "bea@example.com": "member"}


def test_the_keys_are_printed_by_line() -> None:
    people("email,name\ngus@example.com,Gus Berg\n")
    line = run(*CREATE).stdout.split()
    assert (line[2], line[1]) == (
        "gus@example.com",
        json.loads(run("user", "key", "gus@example.com", "--json").stdout)["api_key"],
    )


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("gus@example.com,Gus,king\nbea,Bea,member\n", "line 2: there is no role 'king'; line 3: "),
        ("gus@example.com,Gus,\ngus@example.com,Bea,\n", "line 3: Email 'gus@example.com' already in use"),
        ("gus@example.com,Gus,\nada@example.com,Ada,\n", "line 3: Email 'ada@example.com' already in use"),
        ("gus@example.com,Gus,,guest\n", "line 2: there are more values than columns"),
        ("gus@example.com\n", "line 2: "),
    ],
)
def test_one_bad_line_is_named_and_nothing_is_created(lines: str, said: str) -> None:
    people(f"email,name,role\n{lines}")
    before = addresses()
    assert f"No account was created; {said}" in error_line(run(*CREATE), 1)
    assert addresses() == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The first line must name the columns"),
        ("email,name,password\na@example.com,A,correct horse\n", "The first line must name the columns"),
        ("email,name,name\na@example.com,A,B\n", "The first line must name the columns"),
        ('email,name\na@example.com,"A\n', "The file is not CSV"),
    ],
)
def test_other_files_are_refused(text: str, said: str) -> None:
    people(text)
    assert said in error_line(run(*CREATE), 1)


def test_a_file_in_another_encoding_is_refused() -> None:
    Path("people.csv").write_bytes("email,name\na@example.com,Jürg\n".encode("latin-1"))
    assert "The file is not CSV in UTF-8" in error_line(run(*CREATE), 1)


def test_a_file_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_accounts, "MOST_ACCOUNTS", 1)
    people("email,name\na@example.com,A\nb@example.com,B\n")
    before = addresses()
    assert "At most 1 accounts are created at once" in error_line(run(*CREATE), 1)
    assert addresses() == before


def test_a_file_without_an_end_is_refused() -> None:
    before = addresses()
    assert "The file has more than" in error_line(run("user", "create", "--from", "/dev/zero"), 1)
    assert addresses() == before


def test_properties_of_one_account_and_a_file_exclude_each_other() -> None:
    people("email,name\na@example.com,A\n")
    assert "--from cannot be combined" in error_line(run(*CREATE, "--name", "A"), 2)
    assert "'--email'" in error_line(run("user", "create", "--name", "A"), 2)
    assert "'--name'" in error_line(run("user", "create", "--email", "a@example.com"), 2)
