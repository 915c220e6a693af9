"""Pages of the organization, as a browser shows them."""

from html.parser import HTMLParser
from typing import Any

from werkzeug.test import Client, TestResponse

from chatcore.application.people.logins import login_of
from tests.worlds.mail import link_in, sent
from tests.worlds.organization import FROM, HOST, Someone, World

PASSWORD = "correct horse"
ORIGIN = f"https://{HOST}"


def opens(world: World, path: str) -> TestResponse:
    return Client(world.answers).get(path, base_url=ORIGIN, environ_base=FROM)


def fills_in(world: World, path: str, *, origin: str = ORIGIN, **form: str) -> TestResponse:
    headers = {"Origin": origin}
    return Client(world.answers).post(
        path, data=form, base_url=ORIGIN, headers=headers, environ_base=FROM, follow_redirects=True
    )


def joins_by(world: World, path: str, name: str, **form: str) -> TestResponse:
    """Fill in the form of a link; if it asks for an address only, that of the link in the mail, too."""
    if Tags(opens(world, path).text).inputs == ["email"]:
        asked = fills_in(world, path, **form)
        if asked.status_code != 200:
            return asked
        path = link_in(sent(world)[-1])
    given = {"full_name": name.title(), "password": PASSWORD, **form}
    return fills_in(world, path, **given)


def makes_link(someone: Someone, **offer: Any) -> str:
    """Make a link for many people; return its path."""
    link: str = someone.post("/invites/multiuse", **offer)["invite_link"]
    assert link.startswith(ORIGIN)
    return link.removeprefix(ORIGIN)


def invites(someone: Someone, *emails: str, **offer: Any) -> None:
    someone.post("/invites", invitee_emails=", ".join(emails), **{"stream_ids": [], **offer})


def member(world: World, email: str) -> dict[str, Any] | None:
    """The new account with an address, as owners see it."""
    people = world["olga"].get("/users")["members"]
    return next((one for one in people if one["delivery_email"] == email), None)


def arrived(world: World, name: str) -> Someone:
    """A new person with the address of that name, with a client."""
    world.storage.read(world.know)
    login = login_of(world.svc, world.users[name].id)
    world.keys[name] = login.api_key
    return world[name]


def greeting(world: World, name: str) -> str:
    """The source of the message that welcomes a new person."""
    (message,) = arrived(world, name).reads("is:dm", apply_markdown=False)
    return str(message["content"])


class Tags(HTMLParser):
    """The names of a page's tags and attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.inputs: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {tag, *(name for name, _ in attrs)}
        if tag == "input":
            self.inputs.append(dict(attrs)["name"] or "")
