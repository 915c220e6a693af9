"""A folder of organizations: how it is read, and its error texts."""

import json
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from werkzeug.test import Client

import wsgi
from chatcore.bootstrap import open_sites, store_at
from chatcore.configuration import from_environment
from chatcore.settings import BadSetting, Settings
from chatcore.storage.copies import CopiedStore
from tests.postgres import PostgresServer
from tests.test_cli import INIT, error_line, home, refused_to_serve, run, serving
from tests.waiting import PATIENCE

__all__ = ["home"]

NAMES = ("club", "team")


@pytest.fixture(params=["sqlite", "postgresql"])
def databases(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """The database entry for the file of each organization."""
    if request.param == "sqlite":
        yield dict.fromkeys(NAMES, "")
        return
    postgres: PostgresServer = request.getfixturevalue("postgres")
    with ExitStack() as open_databases:
        urls = {name: open_databases.enter_context(postgres.bare_database()) for name in NAMES}
        yield {name: f'database_url = "{url}"\n' for name, url in urls.items()}


def organization(folder: Path, name: str, more: str = "") -> Path:
    """The folder of an organization that is still to be made."""
    folder = folder / name
    folder.mkdir(parents=True)
    (folder / "chatcore.toml").write_text(f'external_url = "https://{name}.example.org"\n{more}')
    return folder


def make(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Make it, as people would; the owner's address and key."""
    with monkeypatch.context() as there:
        there.chdir(folder)
        result = run(*INIT, "--name", folder.name.title(), "--json")
    assert result.exit_code == 0, result.output
    login = json.loads(result.stdout)
    return login["email"], login["api_key"]


def served(folder: Path) -> tuple[Settings, ...]:
    return from_environment({"CHATCORE_ORGANIZATIONS": str(folder)}).organizations


# -- serving ----------------------------------------------------------------------------------------


def test_each_folder_is_an_organization_at_its_host(
    home: Path, databases: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logins = {name: make(organization(home / "all", name, databases[name]), monkeypatch) for name in NAMES}
    (home / "all" / "lost+found").mkdir()
    sites = open_sites(from_environment({"CHATCORE_ORGANIZATIONS": "all"}))
    client = Client(sites.application())
    for name in NAMES:
        headers = {"Host": f"{name}.example.org"}
        answer = client.get("/api/v1/server_settings", headers=headers).json
        assert (answer["realm_name"], answer["realm_url"]) == (name.title(), f"https://{name}.example.org")
        for other, login in logins.items():
            status = client.get("/api/v1/users/me", auth=login, headers=headers).status_code
            assert status == (200 if other == name else 401)
    assert "realm_name" not in client.get("/api/v1/server_settings", headers={"Host": "all"}).json
    secrets = {(home / "all" / name / "chat-data" / "secret_key").read_text() for name in NAMES}
    assert len(secrets) == 2
    sites.close()


def test_other_wsgi_servers_read_the_same_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(organization(home / "all", "club"), monkeypatch)
    (home / "chatcore.toml").write_text('organizations = "all"')
    client = Client(wsgi.LazyApplication())
    found = client.get("/api/v1/server_settings", headers={"Host": "club.example.org"}).json
    assert found["realm_name"] == "Club"
    assert client.get("/api/v1/users/me").status_code == 404


def test_several_are_served_at_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        make(organization(home / "all", name), monkeypatch)
    with serving("--organizations", "all") as server:
        assert "Serving 2 organizations at" in server.said
        for name in NAMES:
            assert f"{name}.example.org: sqlite:///{home}/all/{name}/chat.db\n" in server.said
            request = urllib.request.Request(
                f"{server.url}/api/v1/server_settings", headers={"Host": f"{name}.example.org"}
            )
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                assert json.load(answer)["realm_name"] == name.title()
            with monkeypatch.context() as there:
                there.chdir(home / "all" / name)
                assert refused_to_serve()[0] == 1
        assert "realm_name" not in server.call("/server_settings")
        assert server.stop() == 0


def test_several_workers_serve_several(
    home: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres.bare_database() as url:
        make(organization(home / "all", "team", f'database_url = "{url}"'), monkeypatch)
        with serving("--organizations", "all", "--workers", "2") as server:
            assert server.call("/server_settings")["result"] == "success"
            assert server.call("/users/me")["code"] == "NONEXISTENT_SUBDOMAIN"
            assert server.stop() == 0


# -- contents of the files --------------------------------------------------------------------------


def test_relative_paths_are_relative_to_the_folder(home: Path) -> None:
    folder = organization(home / "all", "club", 'data_dir = "data"\nsecret_key_file = "key"\n')
    (folder / "key").write_text("k" * 32)
    organization(home / "all", "team", 'database_url = "postgresql://chat@db/team"\n')
    organization(home / "all", "zoo", 'database_url = "sqlite:////srv/zoo.db"\ndata_dir = "/srv/zoo"\n')
    club, team, zoo = served(Path("all"))
    assert club.database_url == f"sqlite:///{home}/all/club/chat.db"
    assert (club.data_dir, club.secret_key) == (home / "all/club/data", b"k" * 32)
    assert (team.database_url, team.data_dir) == ("postgresql://chat@db/team", home / "all/team/chat-data")
    assert (zoo.database_url, zoo.data_dir) == ("sqlite:////srv/zoo.db", Path("/srv/zoo"))


def test_everything_else_is_the_servers(home: Path) -> None:
    organization(home / "all", "club")
    settings = from_environment({"CHATCORE_ORGANIZATIONS": "all", "CHATCORE_COMPAT_BRAND": "acme"})
    assert [one.compat_brand for one in (settings, *settings.organizations)] == ["acme", "acme"]


def test_a_host_is_known_in_every_spelling(home: Path) -> None:
    folder = organization(home / "all", "club")
    (folder / "chatcore.toml").write_text('external_url = "https://Club.Example.ORG.:8443/chat"')
    assert [one.host for one in served(Path("all"))] == ["club.example.org"]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "No folder in .* has a chatcore.toml"),
        ({"club": ""}, "external_url must name its host"),
        ({"club": 'external_url = "club"'}, "use the complete address"),
        ({"club": 'external_url = "https://bücher.example"'}, "in ASCII"),
        ({"club": "x = "}, "club/chatcore.toml: .*is not TOML"),
        ({"club": "port = 1"}, "club/chatcore.toml: 'port' is not a setting of a single organization"),
        ({"club": 'compat_brand = "acme"'}, "'compat_brand' is not a setting of a single organization"),
        ({"club": 'organizations = "."'}, "'organizations' is not a setting of a single organization"),
        ({"club": 'secret_key = "hunter2"'}, "club/chatcore.toml: .*at least 32"),
        (
            dict.fromkeys(NAMES, 'external_url = "https://a.example"'),
            "team/chatcore.toml has the same host as .*club/chatcore.toml",
        ),
        (
            {
                name: f'external_url = "https://{name}.example"\ndatabase_url = "postgresql://a:hunter2@db/a"'
                for name in NAMES
            },
            "team/chatcore.toml has the same database as .*club/chatcore.toml",
        ),
    ],
)
def test_a_mistake_is_explained(home: Path, files: dict[str, str], reason: str) -> None:
    for name, text in files.items():
        (home / "all" / name).mkdir(parents=True)
        (home / "all" / name / "chatcore.toml").write_text(text)
    with pytest.raises(BadSetting, match=reason) as caught:
        served(Path("all"))
    assert "hunter2" not in str(caught.value)
    error_line(run("serve", "--organizations", "all"), 2)


def test_settings_of_single_organizations_are_not_set_for_all(home: Path) -> None:
    organization(home / "all", "club")
    for name, value in (("DATABASE_URL", "sqlite:///a.db"), ("SECRET_KEY", "x" * 32), ("DATA_DIR", "a")):
        with pytest.raises(BadSetting, match=f"CHATCORE_{name} cannot be set for a server of several"):
            from_environment({"CHATCORE_ORGANIZATIONS": "all", f"CHATCORE_{name}": value})
    for option in (["--database", "sqlite:///a.db"], ["--demo"]):
        said = error_line(run("serve", "--organizations", "all", *option), 2)
        assert f"cannot be combined with {option[0]}" in said


SERVERS = (("serve",), ("mail", "serve"), ("mail", "receive", "general@club.example.org"))


def test_the_file_of_another_organization_is_named_with_its_line(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    organization(home / "all", "club")
    (home / "chatcore.toml").write_text('database_url = "sqlite:///chat.db"\n')
    for command in (*SERVERS, ("check",)):
        said = error_line(run(*command, "--organizations", "all"), 2)
        assert said.startswith(f"{home}/chatcore.toml: 'database_url' cannot be set for a server of several")
    monkeypatch.setenv("CHATCORE_ORGANIZATIONS", "all")
    with pytest.raises(BadSetting, match="'database_url' cannot be set"):
        Client(wsgi.LazyApplication()).get("/health")


def test_several_are_served_from_the_folder_of_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its file says nothing about the server."""
    for name in NAMES:
        make(organization(home / "all", name, 'database_url = "sqlite:///chat.db"\n'), monkeypatch)
    monkeypatch.chdir(home / "all" / "club")
    with serving("--organizations", str(home / "all")) as server:
        assert "Serving 2 organizations at" in server.said
        assert server.stop() == 0
    checked = run("check", "--organizations", str(home / "all"))
    assert (checked.exit_code, "'Team', up to date" in checked.stdout) == (0, True)
    unknown = run("mail", "receive", "general@club.example.org", "--organizations", str(home / "all"))
    assert unknown.exit_code == 67, unknown.output
    monkeypatch.setenv("CHATCORE_ORGANIZATIONS", str(home / "all"))
    team = {"Host": "team.example.org"}
    found = Client(wsgi.LazyApplication()).get("/api/v1/server_settings", headers=team).json
    assert found["realm_name"] == "Team"


def test_a_command_is_about_the_organization_at_a_host(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        make(organization(home / "all", name), monkeypatch)
    assert "needs the folder" in error_line(run("user", "list", "--organization", "team.example.org"), 2)
    monkeypatch.setenv("CHATCORE_ORGANIZATIONS", str(home / "all"))
    chosen = ("--organization", "Team.example.org")
    assert run("organization", "show", *chosen).stdout.startswith("name = Team\n")
    assert run("organization", "set", "name", "Crew", *chosen).exit_code == 0
    assert "'Crew', up to date" in run("check", *chosen).stdout
    assert "'Club', up to date" in run("check", "--organization", "club.example.org").stdout
    said = error_line(run("user", "list", "--organization", "zoo.example.org"), 2)
    assert "there are club.example.org, team.example.org" in said
    said = error_line(run("user", "list", *chosen, "--database", "sqlite:///a.db"), 2)
    assert "cannot be combined with --database" in said


def test_other_commands_are_about_one_organization(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATCORE_ORGANIZATIONS", str(home / "all"))
    make(organization(home / "all", "club"), monkeypatch)
    monkeypatch.chdir(home / "all" / "club")
    assert "'Club', up to date" in run("check").stdout
    assert run("statistics").exit_code == 0


@pytest.mark.parametrize("command", ["statistics", "audit", "user list", "rotate-secret", "restore backups"])
def test_a_command_of_one_organization_asks_which(
    home: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("CHATCORE_ORGANIZATIONS", str(home / "all"))
    organization(home / "all", "club")
    assert "choose one with --organization HOST" in error_line(run(*command.split()), 2)
    assert [*home.iterdir()] == [home / "all"]


def test_an_organization_that_is_not_made_yet_is_named(
    home: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(organization(home / "all", "club"), monkeypatch)
    folder = organization(home / "all", "team")
    code, said = refused_to_serve("--organizations", "all", "--strict")
    assert code == 3
    assert f"{folder}/chat.db" in said
    assert "chatcore init" in said
    with postgres.bare_database() as url:
        (folder / "chatcore.toml").write_text(
            f'external_url = "https://team.example.org"\ndatabase_url = "{url}"'
        )
        with pytest.raises(Exception, match=r"team\.example\.org: there is no organization yet"):
            open_sites(from_environment({"CHATCORE_ORGANIZATIONS": "all"}), migrate=True, strict=True)
        with closing(store_at(url)) as storage:
            assert isinstance(storage, CopiedStore)
            assert storage.is_empty()
    assert not (folder / "chat-data").exists()
