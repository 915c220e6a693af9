"""An organization that writes its mails into a folder."""

from pathlib import Path

import pytest

from tests.worlds.organization import MakeWorld, World


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    return make_world(mail_folder=tmp_path / "mail")
