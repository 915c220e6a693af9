"""`open_chat` creates what it is asked for, and nothing else."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import chatcore
from chatcore import BadDatabaseUrl, BadRequest, ChatcoreError, ChatError, StorageNotReady, open_chat
from chatcore.application.files import resumable
from chatcore.domain.organization import video_calls
from chatcore.domain.people import push_devices
from chatcore.domain.push import subscriptions
from chatcore.domain.sign_on import provisioning
from chatcore.settings import Settings
from scripts import build_public_names
from storage_backends import open_storage


def test_a_database_that_is_not_there_is_not_made_by_mistake(tmp_path: Path) -> None:
    for missing in (tmp_path / "chat.db", tmp_path / "no folder" / "chat.db"):
        with pytest.raises(StorageNotReady, match=r"chat\.db does not exist; create it with"):
            open_chat(f"sqlite:///{missing}")
    assert [*tmp_path.iterdir()] == []


def test_a_database_without_an_organization_gets_one_by_naming_its_owner(
    store_url: str, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    with pytest.raises(StorageNotReady, match="no organization yet"):
        open_chat(store_url, settings=settings)
    with pytest.raises(BadRequest, match="valid email"):
        open_chat(store_url, owner_email="nobody", settings=settings)
    with open_chat(store_url, organization="Club", owner_email="ada@example.com", settings=settings) as chat:
        assert chat.server_settings()["realm_name"] == "Club"
    for owner_email in (None, "bea@example.com"):  # what is there is opened as it is
        with open_chat(store_url, owner_email=owner_email, settings=settings) as chat:
            assert chat.users.actor("ada@example.com").role == chatcore.Role.OWNER
            with pytest.raises(BadRequest):
                chat.users.actor("bea@example.com")


def test_a_store_in_memory_needs_no_owner() -> None:
    with open_chat() as chat:
        assert chat.users.actor("owner@example.com").role == chatcore.Role.OWNER


def test_all_that_programs_import_is_there() -> None:
    assert {name: getattr(chatcore, name) for name in chatcore.__all__}.keys() == {*chatcore.__all__}
    assert dir(chatcore) == sorted(chatcore.__all__)
    with pytest.raises(AttributeError, match="no attribute 'opened_chat'"):
        chatcore.opened_chat  # noqa: B018


def test_each_name_is_where_type_checkers_find_it() -> None:
    """The values of the rules come from light modules (`chatcore.public_names`); checkers read imports."""
    committed = build_public_names.TARGET.read_text(encoding="utf-8")
    assert committed == build_public_names.build(), "python -m scripts.build_public_names"


def test_all_errors_have_one_base() -> None:
    names = (getattr(chatcore, name) for name in chatcore.__all__)
    errors = {one for one in names if isinstance(one, type) and issubclass(one, Exception)}
    assert {error for error in errors if not issubclass(error, ChatcoreError)} == set()
    assert len(errors) > 50
    with pytest.raises(ChatcoreError):
        open_chat("nothing://here")


def names_in(module: ModuleType) -> set[str]:
    """Return the names of the classes that a module defines."""
    return {
        name
        for name, one in vars(module).items()
        if isinstance(one, type) and one.__module__ == module.__name__
    }


OF_HTTP = {
    "ConfusingParameters",
    "NoSuchOrganization",
    "ProofRequired",
    *names_in(video_calls),
    *names_in(provisioning),
    *names_in(push_devices),
    *names_in(subscriptions),
}
OF_RESUMABLE_UPLOADS = names_in(resumable)


def test_every_refusal_of_the_library_can_be_imported() -> None:
    def below(kind: type) -> Iterator[type]:
        for one in kind.__subclasses__():
            yield from (one, *below(one))

    of_the_core = {
        one.__name__
        for one in below(ChatError)
        if one.__module__.startswith(("chatcore.domain", "chatcore.app"))
    }
    assert len(of_the_core) > 30
    assert of_the_core - OF_HTTP - OF_RESUMABLE_UPLOADS <= {*chatcore.__all__}


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("mysql://u:s3cret@h/db", "Nothing that is installed opens 'mysql'"),
        ("postgresql+psycopg://u:s3cret@h/x", r"Nothing that is installed opens 'postgresql\+psycopg'"),
        ("sqllite:///s3cret.db", "Nothing that is installed opens 'sqllite'"),
        ("u:s3cret@h/x", "This is not a database URL"),
        ("u:s3cret@h://x", "This is not a database URL"),
        ("s3cret s3cret://x", "This is not a database URL"),
    ],
)
def test_a_refused_url_is_not_repeated_with_its_password(url: str, reason: str) -> None:
    with pytest.raises(BadDatabaseUrl, match=f"{reason}; use sqlite:///chat.db or postgresql://") as refused:
        open_chat(url)
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("url", ["sqlite:chat.db", "sqlite:///", "sqlite://s3cret@h", "sqlite:///a%00s3cret"])
def test_a_url_of_sqlite_names_a_file(url: str) -> None:
    with pytest.raises(BadDatabaseUrl, match="The database URL names no file; use sqlite:///") as refused:
        open_chat(url)
    assert "s3" not in str(refused.value)


@pytest.mark.parametrize(
    "password",
    [
        *("s3%zzcret", "s3%", "s3@cret", "s3/cret", "s3 cret", "/s3cret", "1/s3cret", "s3%FF", "s3\ud800"),
        *("x@[s3", "x@h/y?password=s3%zz"),
    ],
)
def test_a_password_that_ends_the_url_early_is_not_shown(password: str) -> None:
    with pytest.raises(BadDatabaseUrl, match="write %40 for @, %2F for /, %20 for a space") as refused:
        open_chat(f"postgresql://u:{password}@localhost:5/x")
    assert "s3" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "//u:p%40:?#x@h:5432/x?target_session_attrs=any",
        "//postgres@/x?host=/tmp/x",
        "///x",
        "//",
        "//[::1]:5/x",
        "//a:1,b:2/x",
        "//u@h",
    ],
)
def test_whatever_the_driver_takes_is_a_url(url: str) -> None:
    open_storage(f"postgresql:{url}").close()


def test_the_shorter_name_of_postgresql_means_the_same_database(postgres_url: str, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, secret_key=b"s" * 32)
    open_chat(postgres_url, organization="Club", owner_email="ada@example.com", settings=settings).close()
    shorter = postgres_url.replace("postgresql://", "postgres://", 1)
    assert shorter != postgres_url
    with open_chat(shorter, settings=settings) as chat:
        assert chat.server_settings()["realm_name"] == "Club"


def test_a_path_is_no_url_and_a_folder_may_be_a_text(tmp_path: Path) -> None:
    for given in (tmp_path / "chat.db", "chat.db"):
        with pytest.raises(BadDatabaseUrl, match="use sqlite:///"):
            open_chat(given)  # type: ignore[arg-type]
    settings = Settings(data_dir=str(tmp_path / "data"))  # type: ignore[arg-type]
    open_chat(f"sqlite:///{tmp_path}/chat.db", owner_email="ada@example.com", settings=settings).close()
    assert {path.name for path in tmp_path.iterdir()} == {"chat.db", "data"}
