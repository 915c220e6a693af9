"""An installation has one top-level name; stores of other packages are found."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from chatcore import BadDatabaseUrl, open_chat
from scripts.wheel import move_into_package
from tests.page_programs import ROOT, programs

PROGRAM = """
import pkgutil, sys
import chatcore
from chatcore import open_chat
from chatcore.wsgi import application

for found in pkgutil.walk_packages(chatcore.__path__, "chatcore."):
    if not found.name.endswith("__main__"):
        __import__(found.name)
with open_chat("sqlite:///club.db", owner_email="ada@example.com") as chat:
    print(chat.users.own(chat.users.actor("ada@example.com")).full_name)
print(sorted({name.partition(".")[0] for name in sys.modules} & {"chatcore", "storage_backends", "wsgi"}))
"""

SHOW_VERSION = """
import sys
sys.path.insert(0, sys.argv.pop())
from chatcore.cli import main
sys.argv[1:] = ["--version"]
main()
"""


def test_a_built_tree_works_under_one_name(tmp_path: Path) -> None:
    built = tmp_path / "built"
    for package in ("chatcore", "storage_backends"):
        shutil.copytree(ROOT / package, built / package, ignore=shutil.ignore_patterns("__pycache__"))
    move_into_package(built)
    assert [path.name for path in built.iterdir()] == ["chatcore"]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        env={"PYTHONPATH": str(built)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == ["Owner", "['chatcore']"], done.stderr


def test_a_checkout_can_be_installed_again(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    for name in ("chatcore", "storage_backends", "scripts"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.cfg", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, checkout)
    build = [sys.executable, "-c", "from setuptools import setup; setup()", "-q", "build_py"]
    subprocess.run(build, cwd=checkout, check=True, capture_output=True)
    (checkout / "chatcore" / "demo.py").unlink()
    subprocess.run(build, cwd=checkout, check=True, capture_output=True)
    built = checkout / "build" / "lib"
    assert [path.name for path in built.iterdir()] == ["chatcore"]
    assert not (built / "chatcore" / "demo.py").exists()


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git to make a checkout with")
def test_a_build_names_its_commit(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    for name in ("chatcore", "storage_backends", "scripts"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.cfg", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, checkout)

    def run(*command: str) -> str:
        return subprocess.run(command, cwd=checkout, check=True, capture_output=True, text=True).stdout

    def said(folder: Path) -> str:
        return run(sys.executable, "-c", SHOW_VERSION, str(folder)).strip()

    build = (sys.executable, "-c", "from setuptools import setup; setup()", "-q", "build_py")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    run(*build)
    built = checkout / "build" / "lib"
    assert said(checkout) == f"chatcore, version {version}"
    assert not (built / "chatcore" / "commit.txt").exists()
    run("git", "init", "-q")
    run("git", "add", "chatcore", "storage_backends")
    run("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "Soup")
    commit = run("git", "rev-parse", "--short=12", "HEAD").strip()
    run(*build)
    for folder in (checkout, built):
        assert said(folder) == f"chatcore, version {version} (commit {commit})"
    (checkout / "chatcore" / "demo.py").unlink()
    assert said(checkout) == f"chatcore, version {version} (commit {commit}+)"


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chatcore", "--help"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.startswith("Usage: chatcore ")


# -- stores of other packages -------------------------------------------------------------------------


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package of docs/another-store.md, installed."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    (program,) = programs(ROOT / "docs" / "another-store.md")
    (tmp_path / "timed_store.py").write_text(program)
    install(tmp_path, "timed", "timed_store:open_store")
    return tmp_path


def install(folder: Path, name: str, function: str) -> None:
    information = folder / f"{name}-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(f"[chatcore.backends]\ntimed+sqlite = {function}\n")


@pytest.mark.usefixtures("package")
def test_a_store_of_another_package_is_opened_by_its_scheme() -> None:
    for _ in range(2):
        with open_chat("timed+sqlite:///club.db", owner_email="ada@example.com") as chat:
            store = chat.services.storage
            assert type(store).__name__ == "TimedStore"
            before = vars(store)["reads"]
            chat.users.actor("ada@example.com")
            assert vars(store)["reads"] == before + 1


def test_two_packages_for_one_scheme_are_refused(package: Path) -> None:
    install(package, "other", "other_store:open_store")
    with pytest.raises(BadDatabaseUrl, match="Several packages"):
        open_chat("timed+sqlite:///club.db", owner_email="ada@example.com")


def test_schemes_of_no_package_are_refused() -> None:
    with pytest.raises(BadDatabaseUrl):
        open_chat("timed+sqlite:///club.db", owner_email="ada@example.com")
