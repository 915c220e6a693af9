"""`chatcore user export` and `erase`"""

import json
import stat
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.test_cli import INIT, error_line, run

BEA = "bea@example.com"


@pytest.fixture(autouse=True)
def founded(home: Path) -> None:
    run(*INIT)
    run("user", "create", "--email", BEA, "--name", "Bea Fox")


def kinds_noted() -> list[str]:
    entries = [json.loads(line) for line in run("audit", "--json").stdout.splitlines()]
    return [entry["kind"] for entry in entries]


def test_the_data_of_a_person_is_written(home: Path) -> None:
    result = run("user", "export", BEA, "bea.zip")
    assert result.exit_code == 0, result.output
    assert BEA in result.stdout
    path = home / "bea.zip"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with ZipFile(path) as archive:
        assert json.loads(archive.read("manifest.json"))["scope"] == "person"
        (account,) = archive.read("tables/account.jsonl").splitlines()
    assert json.loads(account)["full_name"] == "Bea Fox"
    assert kinds_noted()[0] == "data_exported"
    assert "exists already" in error_line(run("user", "export", BEA, "bea.zip"), 1)
    assert error_line(run("user", "export", "nobody@example.com", "nobody.zip"), 1)
    assert "one person" in error_line(
        run("import", "archive", "bea.zip", "--database", f"sqlite:///{home / 'new.db'}"), 1
    )


def test_a_person_is_erased_after_a_question(home: Path) -> None:
    refused = run("user", "erase", BEA, input="n\n")
    assert refused.exit_code == 1
    assert "Bea Fox" in refused.stderr
    assert BEA in run("user", "list").stdout
    done = run("user", "erase", BEA, "--messages", "delete", input="y\n")
    assert done.exit_code == 0, done.output
    listed = run("user", "list").stdout
    assert BEA not in listed
    assert "Deleted person" in listed
    assert kinds_noted()[0] == "account_erased"
    assert "Bea" not in run("audit").stdout
    for words in (("erase", "--yes"), ("reactivate",)):
        address = listed.partition("deleted")[2].split()[0]
        assert "is erased" in error_line(run("user", words[0], f"deleted{address}", *words[1:]), 1)


def test_the_only_owner_is_not_erased() -> None:
    assert "only organization owner" in error_line(run("user", "erase", "ada@example.com", "--yes"), 1)
    assert error_line(run("user", "erase", "nobody@example.com", "--yes"), 1)
    assert run("user", "erase", BEA, "--messages", "some").exit_code == 2
