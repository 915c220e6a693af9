"""The publication: a source distribution, and the wheel that is built from it."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.page_programs import ROOT

NOT_SOURCE = shutil.ignore_patterns("__pycache__")
SOURCES = (
    *("chatcore", "storage_backends", "scripts", "contrib", "tests/installing"),
    *("Dockerfile", ".dockerignore", "LICENSE", "MANIFEST.in", "NOTICE", "README.md", "constraints.txt"),
    *("pyproject.toml", "setup.cfg", "wsgi.py"),
)


def copy(names: list[str] | tuple[str, ...], to: Path) -> Path:
    """Copy files and folders of the checkout; building leaves files among them."""
    for name in names:
        source, target = ROOT / name, to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=NOT_SOURCE)
        else:
            shutil.copy(source, target)
    return to


def build(source: Path, out: Path, *options: str) -> Path:
    """Build what the options say, with the build backend that the tests have; return the folder of it."""
    if find_spec("build") is None:
        pytest.skip("pip install 'chatcore[test]'")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", out, *options, source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel that was built from nothing else."""
    folder = tmp_path_factory.mktemp("published")
    return build(copy(SOURCES, folder / "checkout"), folder / "dist")


def names_in_wheel(folder: Path) -> set[str]:
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.endswith("/")}


def test_the_wheel_has_all_files_of_the_packages(published: Path) -> None:
    names = {name for name in names_in_wheel(published) if not name.partition("/")[0].endswith(".dist-info")}
    there = {file for name in ("chatcore", "storage_backends") for file in (ROOT / name).rglob("*")}
    expected = {
        file.relative_to(ROOT).as_posix()
        for file in there
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert names == {
        f"chatcore/{name}" if name.startswith("storage_backends/") else name for name in expected
    }


def test_the_source_distribution_has_what_an_administrator_takes_from_a_checkout(published: Path) -> None:
    (file,) = published.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"Dockerfile", ".dockerignore", "constraints.txt", "wsgi.py", "LICENSE", "NOTICE"} <= names
    assert {"contrib/compose/sqlite.yaml", "contrib/systemd/chat.service"} <= names
    assert not {name for name in names if name.startswith("tests")}


def test_an_image_is_built_from_enough(published: Path, tmp_path: Path) -> None:
    """The files that `.dockerignore` admits make the same wheel."""
    rules = (ROOT / ".dockerignore").read_text().splitlines()
    admitted = [rule.removeprefix("!") for rule in rules if rule.startswith("!")]
    context = build(copy(admitted, tmp_path / "context"), tmp_path / "dist", "--wheel")
    assert names_in_wheel(context) == names_in_wheel(published)


def test_an_index_would_accept_the_descriptions(published: Path) -> None:
    if find_spec("twine") is None:
        pytest.skip("pip install 'chatcore[test]'")
    command = [sys.executable, "-m", "twine", "check", "--strict", *published.iterdir()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_installed_command_works_in_an_empty_folder(published: Path, tmp_path: Path) -> None:
    (wheel,) = published.glob("*.whl")
    installed, home = tmp_path / "installed", tmp_path / "home"
    home.mkdir()
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", installed, wheel], check=True, capture_output=True)
    owner = ["--name", "Our team", "--owner-email", "ada@example.com", "--owner-name", "Ada Fox"]

    def call(*arguments: str) -> str:
        done = subprocess.run(
            [installed / "bin" / "chatcore", *arguments],
            cwd=home,
            env={**os.environ, "PYTHONPATH": str(installed)},  # noqa: TID251
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert call("--version").startswith("chatcore, version ")
    assert "ada@example.com" in call("init", *owner)
    assert "ok" in call("check")
    assert {path.name for path in home.iterdir()} == {"chat.db", "chat-data"}
