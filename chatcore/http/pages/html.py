"""Pages of plain HTML, without scripts, for people who have no client yet, and their routes.

Their style is in them; its colours and sizes are the tokens of the web client.
"""

import hashlib
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Annotated, Any, Final

from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from chatcore.application.arguments import about
from chatcore.domain.errors import ChatError
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.bodies.reading import URLENCODED
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.envelope import error_response
from chatcore.http.pipeline.routing import Method, RawRoute
from chatcore.http.response import Headers, Response
from chatcore.runtime.admission import Lane

LINK: Final = "/{token}"
"""The end of the path of a link in a mail, which `LinkParams` reads."""
HTML: Final = "text/html; charset=utf-8"
STYLE: Final = (
    (Path(__file__).parents[2] / "web/style/tokens.css").read_text("utf-8")
    + """
* { box-sizing: border-box; font: inherit }
body { background: var(--ground); color: var(--text); font: var(--font)/var(--line-height) var(--family);
  margin: 0 auto; max-width: var(--w-xl); padding: 12vh var(--s5) var(--s8) }
h1 { font-size: var(--font-xl); font-weight: 600; line-height: 1.3; margin: 0 0 var(--s4) }
p { margin: var(--s3) 0 }
a { color: var(--accent); overflow-wrap: anywhere }
label { font-size: var(--font-s) }
input, button { border: var(--hair) solid var(--field); border-radius: var(--radius); color: inherit;
  min-height: var(--touch); padding: var(--s1) var(--s3); width: 100% }
input { background: var(--ground); font-size: var(--font-touch); margin-top: var(--s1) }
button { background: var(--accent); border-color: transparent; color: var(--on-accent); cursor: pointer;
  font-weight: 500 }
button:hover { background: var(--accent-strong) }
:focus-visible { outline: var(--ring); outline-offset: var(--hair) }
"""
)
STYLE_HASH: Final = b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
HEADERS: Final[Headers] = [
    (
        "Content-Security-Policy",
        f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; form-action 'self'; base-uri 'none';"
        " frame-ancestors 'none'",
    ),
    ("X-Frame-Options", "DENY"),
    # With the policy of all other answers, browsers would send forms without their origin.
    ("Referrer-Policy", "same-origin"),
    ("X-Robots-Tag", "noindex"),
]


@dataclass(frozen=True, slots=True)
class Input:
    """A field of a form."""

    name: str
    label: str
    kind: str = "text"
    autocomplete: str = "off"
    bounds: tuple[int, int] = (1, 300)
    """The minimal and maximal length."""


def page(
    title: str, *paragraphs: str, inputs: Sequence[Input] | None = None, button: str = "", link: str = ""
) -> Response:
    """Return a page of texts, with a *link* below and, with *inputs*, a form that is sent to the page's own
    address.
    """
    texts = "".join(f"<p>{escape(text)}</p>\n" for text in paragraphs)
    if link:
        texts += f'<p><a href="{escape(link)}">{escape(link)}</a></p>\n'
    form = "" if inputs is None else _render_form(inputs, button)
    return Response(200, _render_document(title, texts + form), HEADERS, HTML)


def prefers_page(request: Incoming) -> bool:
    """Whether the client prefers a page to JSON, as browsers do."""
    accepted = parse_accept_header(request.header("Accept"), MIMEAccept)
    return accepted.quality("text/html") > accepted.quality("application/json")


def refusal(
    error: ChatError,
    request: Incoming,
    advice: str = "Go back and try again, or ask for a new link.",
    link: str = "",
) -> Response:
    """Return a refused request as a page, with what to do next, and a *link* that leads back."""
    plain = error_response(error)
    texts = f"<p>{escape(error.message)}</p>\n<p>{escape(advice)}</p>\n"
    if link:
        texts += f'<p><a href="{escape(link)}">Back</a></p>\n'
    headers = [*(header for header in plain.headers if header[0] != "WWW-Authenticate"), *HEADERS]
    return Response(plain.status, _render_document("This did not work", texts), headers, HTML)


class LinkParams(Params, kw_only=True, frozen=True):
    token: Annotated[Text, about("The end of the link.")]


def page_route(
    method: Method,
    path: str,
    params: type[Params],
    handler: Callable[..., Response],
    refuse: Callable[[ChatError, Incoming], Response | None] = refusal,
    lane: Lane = Lane.CALLS,
) -> RawRoute[Any]:
    """Return the route of a page for people who are not logged in; *refuse* returns the page of a refusal."""
    return RawRoute(
        method,
        path,
        params,
        handler,
        auth=Auth.NONE,
        prefix="",
        body=URLENCODED if method == "POST" else "",
        answers="text/html",
        lane=lane,
        refuse=refuse,
    )


def _render_form(inputs: Sequence[Input], button: str) -> str:
    fields = "".join(map(_render_field, inputs))
    return f'<form method="post">\n{fields}<p><button type="submit">{escape(button)}</button></p>\n</form>\n'


def _render_field(field: Input) -> str:
    least, most = field.bounds
    # Unlike `maxlength`, a pattern cuts nothing that is pasted, and counts as the server does.
    return (
        f"<p><label>{escape(field.label)}<br>"
        f'<input name="{field.name}" type="{field.kind}" autocomplete="{field.autocomplete}"'
        f' minlength="{least}" pattern=".{{0,{most}}}" title="At most {most} characters" required>'
        "</label></p>\n"
    )


def _render_document(title: str, body: str) -> bytes:
    text = escape(title)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{text}</h1>\n{body}</body>\n</html>\n"
    ).encode()
