"""Providers of OpenID Connect: their settings, `chatcore check`, and `chatcore user forget-identities`."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chatcore.bootstrap import store_at
from chatcore.cli.checking.outside import Problem, checks_of, login_service
from chatcore.configuration import Given, from_environment, from_file
from chatcore.domain.roles import Role
from chatcore.domain.sign_on.providers import Provider
from chatcore.settings import BadSetting, Settings
from storage_backends import open_storage
from tests.http.sign_on.login_services import ToyProvider, toy_provider
from tests.test_cli import INIT, error_line, run

FILE = """
login_app_scheme = "chatapp"

[oidc.work]
issuer = "https://login.example.com/realms/work"
client_id = "chat"
client_secret_file = "secret"
trust_email = true
role_claim = "realm_access.roles"
roles = "chat-admins=administrator, *=member"
groups_claim = "groups"
groups = "eng=Engineering; cn=ops,ou=groups=Operations"

[oidc.school]
issuer = "https://school.example.com/"
client_id = "chat"
"""
WORK = Provider(
    name="work",
    issuer="https://login.example.com/realms/work",
    client_id="chat",
    client_secret="the secret",
    trust_email=True,
    role_claim="realm_access.roles",
    roles={"chat-admins": Role.ADMINISTRATOR, "*": Role.MEMBER},
    groups_claim="groups",
    groups={"eng": "Engineering", "cn=ops,ou=groups": "Operations"},
)
SCHOOL = Provider(name="school", issuer="https://school.example.com/", client_id="chat")


@pytest.fixture
def toy() -> Iterator[ToyProvider]:
    with toy_provider() as toy:
        yield toy


def written(folder: Path, text: str = FILE) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "secret").write_text("the secret\n")
    file = folder / "chatcore.toml"
    file.write_text(text)
    return file


def test_each_table_is_a_provider(home: Path) -> None:
    given = from_file(written(home))
    assert from_environment(given).oidc == (SCHOOL, WORK)
    changed = from_environment({**given, "CHATCORE_OIDC_WORK_CLIENT_ID": "other"})
    assert changed.oidc == (SCHOOL, replace(WORK, client_id="other"))


def test_they_are_listed_without_secrets(home: Path) -> None:
    written(home, FILE + 'client_secret = "the secret"\n')
    said = run("settings").stdout
    assert "oidc_work_issuer = https://login.example.com/realms/work  (file" in said
    assert "oidc_school_client_secret = (hidden)  (file" in said
    assert "the secret" not in said


@pytest.mark.parametrize("text", ["on", "true", "Yes", "1"])
def test_variables_are_switched_on_by_the_same_words_as_all_settings(text: str) -> None:
    given = {"ISSUER": "https://login.example.com", "CLIENT_ID": "chat", "TRUST_EMAIL": text, "LOG_OUT": text}
    settings = from_environment({f"CHATCORE_OIDC_WORK_{name}": value for name, value in given.items()})
    assert settings.oidc[0].trust_email
    assert settings.oidc[0].log_out


@pytest.mark.parametrize(
    ("before", "after", "about"),
    [
        ('client_id = "chat"', "", "[oidc.school] has no client_id"),
        ('client_id = "chat"', 'client_name = "chat"', "there is no setting 'oidc_work_client_name'"),
        ("= true", '= "perhaps"', "'oidc_work_trust_email' is 'perhaps': use 'on' or 'off'"),
        ("=administrator", "=king", "'king' is no role"),
        ("eng=Engineering", "Engineering", "use 'theirs=ours"),
        ('"secret"', '"missing"', "No such file"),
        (
            "https://school",
            "school",
            "[oidc.school]: 'school.example.com/' is no issuer: use the complete address",
        ),
        ("trust_email =", 'scopes = "email"\ntrust_email =', "[oidc.work]: the scopes must have 'openid'"),
        ('role_claim = "realm_access.roles"', "", "[oidc.work]: roles without role_claim have no effect"),
        ('groups_claim = "groups"', "", "[oidc.work]: groups without groups_claim have no effect"),
        (
            'groups = "eng=E',
            'display_name = "eng=E',
            "[oidc.work]: groups_claim without groups has no effect",
        ),
        ("issuer =", "isuer =", "no setting 'oidc_work_isuer'; do you mean 'oidc_work_issuer'?"),
        (
            "[oidc.school]",
            "[oidc]",
            "no setting 'oidc_issuer': a provider is a table with a name, such as [oidc.work].",
        ),
        ("[oidc.school]", "[oidc.old-school]", ": the name of a provider has letters and digits alone."),
        ("[oidc.school]", "[oidc.old_school]", ": the name of a provider has letters and digits alone."),
        ('"chatapp"', '"javascript"', "a scheme that is the app's own"),
    ],
)
def test_mistakes_are_named(before: str, after: str, about: str, home: Path) -> None:
    written(home, FILE.replace(before, after))
    assert about in error_line(run("settings"), 2)


def test_of_several_organizations_each_has_its_own(home: Path) -> None:
    written(home / "all" / "club", 'external_url = "https://club.example.com"\n' + FILE.partition("\n\n")[2])
    (settings,) = (
        Given(home / "none", {}, {"CHATCORE_ORGANIZATIONS": str(home / "all")}).settings().organizations
    )
    assert settings.oidc == (SCHOOL, WORK)
    with pytest.raises(BadSetting, match="CHATCORE_OIDC_SCHOOL_CLIENT_ID cannot be set"):
        from_environment({**from_file(written(home)), "CHATCORE_ORGANIZATIONS": str(home / "all")})


def test_a_service_that_provisions_people_does_so_in_one_organization_alone(home: Path) -> None:
    for host in ("club", "work"):
        written(home / "all" / host, f'external_url = "https://{host}.example.com"\n')
    (home / "all" / "club" / "secret").write_text("a" * 64)
    with (home / "all" / "club" / "chatcore.toml").open("a") as file:
        file.write('scim_token_file = "secret"\n')
    server = {"CHATCORE_ORGANIZATIONS": str(home / "all")}
    organizations = from_environment(server).organizations
    assert [settings.scim_token for settings in organizations] == ["a" * 64, ""]
    with pytest.raises(BadSetting, match="CHATCORE_SCIM_TOKEN cannot be set"):
        from_environment({**server, "CHATCORE_SCIM_TOKEN": "a" * 64})


def test_each_provider_is_asked_by_the_check(toy: ToyProvider) -> None:
    settings = Settings(oidc=(toy.settings(),))
    libraries, name = checks_of(settings)
    assert (libraries, name) == ("extras", "oidc toy")
    assert checks_of(settings)[name](settings) == f"{toy.issuer} answers, and has 1 key"
    toy.description["issuer"] = "https://evil.example.com"
    with pytest.raises(
        Problem, match=f"{toy.issuer}: it calls itself 'https://evil.example.com', and the issuer"
    ):
        login_service(toy.settings(), settings)
    with pytest.raises(Problem, match="the connection failed"):
        login_service(toy.settings(issuer="http://127.0.0.1:1"), settings)


@pytest.mark.parametrize("settings", [Settings(oidc=(SCHOOL,)), Settings(scim_token="a" * 64)])
def test_the_check_says_which_libraries_are_missing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = checks_of(settings)["extras"]
    assert check(settings) == "the libraries of the login services are installed"
    monkeypatch.setattr("chatcore.bootstrap.find_spec", lambda name: None)
    with pytest.raises(BadSetting, match="run in the folder of this project: pip install "):
        check(settings)


def test_identities_are_forgotten(home: Path) -> None:
    run(*INIT)
    url = f"sqlite:///{home}/chat.db"
    assert store_at(url).exists()
    storage = open_storage(url)
    try:
        (owner,) = [user for user in storage.read(lambda tx: tx.users.all()) if not user.is_bot]
        storage.write(lambda tx: tx.external_identities.add("oidc:work", "1", owner.id))
        assert "is known to no login service" in run("user", "forget-identities", owner.email).stdout
        assert storage.read(lambda tx: tx.external_identities.of_user(owner.id)) == {}
    finally:
        storage.close()
    assert "There is no account" in error_line(run("user", "forget-identities", "nobody@example.com"), 1)
