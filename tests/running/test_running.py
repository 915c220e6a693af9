"""The program that runs the suite."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.running.__main__ import Part, failure, run_parts, split_paths, tell
from tests.running.parts import SECOND
from tests.running.report import FILE, MOST_REPEATED

pytest_plugins = ["pytester"]

PROJECT = Path(__file__).parents[2]
FLAKY = """
tried = set()

def passes_at_second_try(name):
    assert name in tried or tried.add(name)
"""


def run_tests(pytester: pytest.Pytester, tests: str) -> tuple[int, dict[str, Any]]:
    pytester.syspathinsert(PROJECT)
    pytester.makepyfile(FLAKY + tests)
    options = ("-p", "tests.running.report", FILE, "report.json", "--reruns=1")
    done = pytester.runpytest_inprocess(*options)
    return int(done.ret), json.loads((pytester.path / "report.json").read_text())


def flaky(number: int) -> str:
    return "".join(f"\ndef test_{one}():\n    passes_at_second_try({one})\n" for one in range(number))


def test_a_test_of_the_first_part_cannot_start_a_process() -> None:
    with pytest.raises(AssertionError, match="its module belongs in SECOND"):
        subprocess.run([sys.executable, "--version"], check=True)


@pytest.mark.parametrize("name", SECOND)
def test_the_second_part_exists(name: str) -> None:
    assert (PROJECT / name).exists()


@pytest.mark.parametrize(
    ("paths", "first", "second"),
    [
        (["tests"], ["tests"], [*SECOND]),
        (["tests/domain"], ["tests/domain"], []),
        (["tests/web", "tests/test_cli.py::test_x"], [], ["tests/web", "tests/test_cli.py::test_x"]),
        (["tests/http/serving/test_disk.py"], [], ["tests/http/serving/test_disk.py"]),
        (
            ["tests/http/files/", "tests/http/files/test_tus.py::test_x"],
            ["tests/http/files/", "tests/http/files/test_tus.py::test_x"],
            [one for one in SECOND if one.startswith("tests/http/files/")],
        ),
    ],
)
def test_given_paths_are_split_into_the_parts(paths: list[str], first: list[str], second: list[str]) -> None:
    assert split_paths(paths) == (first, second)


def test_given_paths_replace_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[str, ...]] = []

    def run(*arguments: str) -> Part:
        ran.append(arguments)
        return Part(arguments[0], 0, 0.0, {})

    monkeypatch.setattr("tests.running.__main__.run", run)
    run_parts("2", ["-x", "-k", "not postgresql", "tests/domain", "tests/test_cli.py"])
    [first, second] = ran
    options = ("-x", "-k", "not postgresql")
    assert first[-4:] == (*options, "tests/domain")
    assert second == ("second", "--numprocesses=2", "--reruns=1", *options, "tests/test_cli.py")
    ran.clear()
    run_parts("2", ["tests/web"])
    assert [arguments[0] for arguments in ran] == ["second"]


def test_a_missing_fixture_is_found_without_a_run(pytester: pytest.Pytester) -> None:
    pytester.syspathinsert(PROJECT)
    pytester.makepyfile("""
        import pytest

        @pytest.fixture
        def there(request, tmp_path):
            return 1

        @pytest.mark.parametrize("case", [1, 2])
        def test_good(there, case, request):
            pass

        @pytest.fixture
        def broken(theer):
            return theer

        def test_bad(broken):
            pass
        """)
    options = ("-p", "tests.running.fixtures", "--collect-only")
    done = pytester.runpytest_inprocess(*options, "-k", "good")
    assert done.ret == 0
    done = pytester.runpytest_inprocess(*options)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["ERROR: these fixtures do not exist:", "*::test_bad: theer"])


def test_few_tests_may_pass_at_their_second_try(pytester: pytest.Pytester) -> None:
    code, report = run_tests(pytester, flaky(MOST_REPEATED))
    assert code == 0
    assert [name.partition("::")[2] for name in report["passed_at_second_try"]] == ["test_0", "test_1"]
    assert all("passes_at_second_try" in why for why in report["passed_at_second_try"].values())


def test_more_of_them_are_a_failure(pytester: pytest.Pytester) -> None:
    code, report = run_tests(pytester, flaky(MOST_REPEATED + 1))
    assert code == 1
    assert report["failed"] == []


def test_what_fails_twice_has_failed(pytester: pytest.Pytester) -> None:
    code, report = run_tests(pytester, "\ndef test_it():\n    assert False\n")
    assert code == 1
    assert not report["passed_at_second_try"]
    assert [name.partition("::")[2] for name in report["failed"]] == ["test_it"]


def test_the_end_of_a_failed_run_names_the_tests_and_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.running.__main__.FAILED", tmp_path / "failed")
    first = Part("first", 1, 61.4, {"failed": ["a.py::test_one"], "seconds": {"a.py::test_one": 0.1}})
    second = Part("second", 1, 9.0, {"failed": ["b.py::test_two[x y]"], "seconds": {}})
    tell([first, second])
    lines = capsys.readouterr().out.splitlines()
    assert "== first part: 61 s, second part: 9 s" in lines
    assert lines[-4:-2] == ["a.py::test_one", "b.py::test_two[x y]"]
    assert lines[-1].startswith("== Repeat them: ")
    assert (tmp_path / "failed").read_text() == "a.py::test_one\nb.py::test_two[x y]"
    assert failure([first, second]) == 1
