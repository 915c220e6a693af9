"""Parts of mails of this server that give rights, in whatever form people pass them on."""

import base64
import html
import quopri
import re
import string
from collections.abc import Callable, Mapping, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Final
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcore.domain.received_mail.mails import read_mail
from chatcore.domain.received_mail.secret_parts import (
    without_secret_parts,
    without_secret_parts_in_file,
)

TOKENS = st.text(string.ascii_letters + string.digits + "-_", min_size=54, max_size=70)
MARKS = st.text("0123456789abcdef", min_size=20, max_size=20)
LEFT_OUT = "left-out"
SECRETS = st.one_of(
    TOKENS.map(lambda token: (f"https://chat.example.org/unsubscribe/{token}", token)),
    MARKS.map(lambda mark: (f"mailto:reply.1f-2a0-6650a1b2-{mark}@chat.example.org", mark)),
)
"""Addresses with rights, and the part of each that nobody else may have."""


def _in_hyphens(text: str) -> str:
    """Return a text as filters write it that have `-2F` for `%2F`, and `_` for the slash."""
    escaped = quote(text, safe="/").replace("%", "\0").replace("-", "-2D").replace("_", "-5F")
    return escaped.replace("\0", "-").replace("/", "_")


def _out_of_hyphens(text: str) -> str:
    escaped = re.sub("-([0-9A-F]{2})", r"%\1", text.replace("_", "/"))
    return unquote(escaped, errors="surrogateescape")


def _in_entities(text: str) -> str:
    return "".join(char if char.isalnum() else f"&#{ord(char)};" for char in text)


def _base64(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _out_of_base64(text: str) -> str:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("latin-1")


Form = tuple[Callable[[str], str], Callable[[str], str]]
"""A way to write something, and to read it."""


def _with_codes(code: str) -> Callable[[str], str]:
    return lambda text: "".join(char if char.isalnum() else code.format(ord(char)) for char in text)


PLAIN: Final[Form] = (str, str)
LINKS: Final[Mapping[str, Form]] = {
    "plain": PLAIN,
    "percent": (lambda text: quote(text, safe=""), unquote),
    "lower percent": (_with_codes("%{:02x}"), unquote),
    "hyphens": (_in_hyphens, _out_of_hyphens),
}
"""Forms of a link that filters put into one of their own; there may be two of them."""
PAGES: Final[Mapping[str, Form]] = {
    "plain": PLAIN,
    "entities": (_with_codes("&#{};"), html.unescape),
    "hexadecimal entities": (_with_codes("&#x{:X};"), html.unescape),
    "base64": (_base64, _out_of_base64),
}
MAILS: Final[Mapping[str, Form]] = {
    "plain": PLAIN,
    "base64": (
        lambda text: base64.encodebytes(text.encode()).decode(),
        lambda text: base64.b64decode(text).decode("latin-1"),
    ),
    "quoted-printable": (
        lambda text: quopri.encodestring(text.encode()).decode(),
        lambda text: quopri.decodestring(text).decode("latin-1"),
    ),
}
FILES: Final = {name: form for name, form in MAILS.items() if name != "quoted-printable"}
"""Forms of a mail that is attached to another one."""


@given(
    SECRETS,
    st.text("a .,\n", max_size=80),
    st.tuples(*(st.sampled_from(sorted(forms.items())) for forms in (LINKS, LINKS, PAGES, MAILS, FILES))),
)
def test_no_secret_part_is_left_in_whatever_form_it_is_written(
    secret: tuple[str, str], before: str, forms: Sequence[tuple[str, Form]]
) -> None:
    text, part = secret
    written, read = [form[0] for _, form in forms], [form[1] for _, form in forms]
    for write in written[:3]:
        text = write(text)
    text = f"{before} https://filter.example/?u={text}"
    for write in written[3:]:
        text = write(text)
    text = without_secret_parts(text)
    for decode in reversed(read[3:]):
        text = decode(text)
    text = text.removeprefix(f"{before} https://filter.example/?u=")
    for decode in reversed(read[:3]):
        text = decode(text)
    assert part not in text
    assert LEFT_OUT in text


@pytest.mark.parametrize(
    "link",
    [
        "https://urldefense.proofpoint.com/v2/url?u=https-3A__chat.example.org_unsubscribe_{v2}&d=DwMFaQ&c=x",
        "https://urldefense.com/v3/__https://chat.example.org/unsubscribe/{token}__;!!Nothing!more$",
        "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fchat.example.org%2Funsubscribe%2F"
        "{token}&data=05%7C02",
        "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fchat.example.org%2funsubscribe%2f{token}&c=E",
        "https://secure-web.cisco.com/1abc/https%3A%2F%2Fchat.example.org%2Funsubscribe%2F{token}",
        "https://us-east-2.protection.sophos.com?d=example.org&u={base64}&p=m&i=1",
    ],
)
def test_links_that_mail_filters_rewrite_have_no_power(link: str) -> None:
    token = "A-b_" + "c9" * 26
    plain = f"https://chat.example.org/unsubscribe/{token}"
    text = link.format(token=token, v2=_in_hyphens(token), base64=base64.b64encode(plain.encode()).decode())
    masked = without_secret_parts(text)
    assert "c9c9" not in masked
    if "{base64}" in link:
        encoded = masked.partition("&u=")[2].partition("&")[0]
        masked = base64.b64decode(encoded).decode()
    assert "c9c9" not in masked
    assert f"{LEFT_OUT}" in masked
    assert masked.startswith("https://")


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "7bit"])
@pytest.mark.parametrize("kind", ["message/rfc822", "application/octet-stream"])
def test_a_mail_that_is_attached_has_no_secret_parts(encoding: str, kind: str) -> None:
    token, mark = "aB-_" + "x7" * 26, "0123456789abcdef0123"
    ours = EmailMessage()
    ours["Subject"] = "Soup"
    ours["Reply-To"] = f"Chat <reply.1-2-3-{mark}@chat.example.org>"
    ours["List-Unsubscribe"] = f"<https://chat.example.org/unsubscribe/{token}>"
    text = f"Soup?\n\nNo more such mails: https://chat.example.org/unsubscribe/{token}\n"
    ours.set_content(text, cte=encoding)
    ours.add_alternative(f'<p style="margin:0">Soup?<a href="{text.split()[-1]}">x</a>', "html", cte=encoding)
    mail = EmailMessage()
    mail["From"] = "Bea <bea@example.org>"
    mail["Subject"] = "Fwd: Soup"
    mail.set_content("See there")
    if kind == "message/rfc822":
        mail.add_attachment(ours, filename="soup.eml")
    else:
        mail.add_attachment(ours.as_bytes(), *kind.split("/"), filename="Soup.EML")
    [attachment] = read_mail(mail.as_bytes()).attachments
    inner = message_from_bytes(attachment.content, policy=policy.default)
    shown = [str(value) for value in inner.values()]
    shown += [part.get_content() for part in inner.walk() if part.get_content_maintype() == "text"]
    assert len(shown) > 4
    for each in shown:
        assert token not in each
        assert mark not in each
    assert sum(LEFT_OUT in each for each in shown) == 4


@given(st.binary(max_size=400))
def test_files_without_secret_parts_stay_as_they_are(content: bytes) -> None:
    for file in (content, base64.encodebytes(content), base64.b64encode(content)):
        assert without_secret_parts_in_file(file) == file


@pytest.mark.parametrize(
    "text",
    [
        "Write to reply.all@example.org, or see /unsubscribe/newsletter-of-the-kitchen",
        "https://example.org/unsubscribe_me_please",
        "reply-to: ada@example.org",
        "aHR0cHM6Ly9leGFtcGxlLm9yZy91bnN1YnNjcmliZS9uZXdzbGV0dGVyLW9mLXRoZS1raXRjaGVuLWFuZC1tb3Jl",
    ],
)
def test_other_addresses_stay(text: str) -> None:
    assert without_secret_parts(text) == text


def test_much_that_is_nested_ends_soon() -> None:
    text = "soup " * 2000
    for _ in range(12):
        text = base64.b64encode(text.encode()).decode()
    assert without_secret_parts(text) == text
