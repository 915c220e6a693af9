"""Mails that are made to do harm: each is posted, dropped or refused for good, and what is posted is text.

A mail server that is told to try again does so for days.
"""

import random
from base64 import b64encode
from typing import Final

import pytest

from chatcore.application.received_mail.outcomes import DeliveryOutcome, outcome_of_address, outcome_of_mail
from chatcore.domain.limits import Limits
from tests.application.received_mail.test_receiving import address_of, with_option
from tests.worlds.organization import MakeWorld, World, make_world

__all__ = ["make_world"]

FOR_GOOD: Final = {DeliveryOutcome.TAKEN, DeliveryOutcome.NOT_TAKEN, DeliveryOutcome.TOO_LARGE}
HEAD: Final = b"From: zoe@x.example\r\nSubject: soup\r\n"
HTML: Final = HEAD + b"Content-Type: text/html\r\n\r\n"
PARTS: Final = b'Content-Type: multipart/mixed; boundary="x"\r\n\r\n'
FILE: Final = b"Content-Disposition: attachment"
CHARSETS: Final = (
    "utf-7", "utf-16", "utf-32", "idna", "punycode", "unicode_escape", "base64", "rot13", "hex", "undefined",
    "mbcs", "cp037", "iso-2022-jp", "hz", "uu", "a" * 900, "utf-8\x00", "\xff",
)  # fmt: skip
MAILS: Final = {
    "nothing": b"",
    "an empty line": b"\r\n",
    "NULs": b"\x00" * 100,
    "NULs in headers": b"Fr\x00om: a\x00@b\r\nSubject: a\x00b\r\nMessage-ID: <\x00>\r\n\r\n\x00x\x00",
    "lone carriage returns": b"Subject: a\rFrom: b\r\rx\r" * 50,
    "lines without headers": b"aaa\r\n" * 200 + b" a\r\n" * 200,
    "a header of a megabyte": HEAD + b"X: " + b"a" * 2**20 + b"\r\n\r\nx",
    "a subject of a megabyte": b"Subject: " + b"a\r\n " * 2**18 + b"\r\n\r\nx",
    "many encoded words": b"Subject: " + b"=?utf-8?Q?=41?= " * 5000 + b"\r\n\r\nx",
    "an encoded word without end": b"Subject: " + b"=?utf-8?Q?" * 500 + b"\r\n\r\nx",
    "many senders": b"From: " + b"a@b.c, " * 9000 + b"\r\n\r\nx",
    "comments in comments": b"From: " + b"(" * 9000 + b"\r\nMessage-ID: " + b"(" * 9000 + b"\r\n\r\nx",
    "brackets": b"From: " + b"<" * 900 + b"\r\nMessage-ID: <a@[" + b"[" * 900 + b"\r\n\r\nx",
    "groups": b"From: " + b"a:" * 900 + b";\r\nAuto-Submitted: " + b"(" * 900 + b"\r\n\r\nx",
    "many headers": HEAD + b"".join(b"X-%d: a\r\n" % i for i in range(5000)) + b"\r\nx",
    "10,000 parts": HEAD + PARTS + b"--x\r\n\r\na\r\n" * 10_000,
    "many attachments": HEAD + PARTS + (b"--x\r\n" + FILE + b"; filename=a.txt\r\n\r\na\r\n") * 150,
    "parts in parts": HEAD + b'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\n' * 3000,
    "mails in mails": HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 3000,
    "a boundary that is a pattern": HEAD + PARTS.replace(b"x", b"(.*)*[[") + b"--(.*)*[[\r\n\r\n",
    "an empty boundary": HEAD + b'Content-Type: multipart/mixed; boundary=""\r\n\r\n--\r\n\r\nx',
    "a boundary of bytes": HEAD + b'Content-Type: multipart/mixed; boundary="\xff"\r\n\r\n--\xff\r\n\r\nx',
    "garbage for base64": HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"!@#$%^&*()A" * 9000,
    "base64 with a rest": HEAD + b"Content-Transfer-Encoding: base64\r\n\r\nAAAAA",
    "garbage for quoted-printable": HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n=ZZ=\xff=",
    "garbage for uuencode": HEAD + b"Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 6 x\r\n\xff",
    "parts in base64": HEAD + b"Content-Transfer-Encoding: base64\r\n" + PARTS + b"--x\r\n\r\nx\r\n--x--",
    "a name with NUL": HEAD + PARTS + b"--x\r\n" + FILE + b'; filename="a\x00\r\n /../c"\r\n\r\nx',
    "a long name": HEAD + FILE + b'; filename="' + b"a" * 9000 + b'"\r\n\r\nx',
    "a name in pieces": HEAD + FILE + b"".join(b"; filename*%d*=%%ff" % i for i in range(100)) + b"\r\n\r\nx",
    "pieces without end": HEAD + FILE + b"; filename*" + b"9" * 900 + b"*=x; filename*-1=y\r\n\r\nx",
    "half a character in a name": HEAD + FILE + b'; filename="\xed\xa0\x80=?utf-16?B?2AA=?="\r\n\r\nx',
    "a type of bytes": HEAD + b"Content-Type: \xff/\xff\r\n" + FILE + b"\r\n\r\nx",
    "a type with a header in it": HEAD + b'Content-Type: text/html"\x00;\r\n x: y\r\n' + FILE + b"\r\n\r\nx",
    "tags in tags": HTML + b"<div>" * 9000 + b"<style>" * 9000,
    "tags without end": HTML + b"<" * 9000 + b"<!--" * 9000 + b"<a x='" * 900,
    "a number of no character": HTML + b"soup &#" + b"9" * 9000 + b"; &#x110000;",
    "sections of no kind": HTML + b"<p>soup</p><![><![1]><![ol[><![if><![CDATA[",
    "halves of characters": HTML + b"&#xd800;&#xdfff;&#0;&#xfffe; soup",
    "links in links": HTML + b"<a href=http://a>" * 5000,
    "lines over quotations": HEAD + b"\r\n" + b"On a wrote:\r\n" * 5000,
    "half of a quotation's line": HEAD + b"\r\n" + (b"Am " + b"schrieb " * 40 + b"\r\n") * 200,
    "answers to answers": b"Subject: " + b"Re:Re[2]:" * 300 + b"\r\n\r\nx",
    "everybody": HEAD + b"\r\n" + b"@**all** " * 900,
    "lines in a subject": b"Subject: =?utf-8?B?" + b64encode(b"a\r\nBcc: x\r\n\r\n> y") + b"?=\r\n\r\nx",
    "lines in a sender": b"From: =?utf-8?B?" + b64encode(b"a`\r\n**b**\n> y") + b"?= <a@b>\r\n\r\nx",
    "turned letters": "Subject: a\u202eb\u2066\ufeff\u200b\r\n\r\n\u202ex".encode(),
    "the same identity": HEAD + b"Message-ID: <1@x>\r\nMessage-ID: <2@x>\r\n\r\nx",
    "a part of a mail": HEAD + b'Content-Type: message/partial; id="a"; number=1\r\n\r\nx',
    "a mail of bytes": HEAD + b"Content-Type: message/rfc822\r\n\r\nSubject: \xff\r\nFrom: \xff<\r\n\r\n\xff",
    "marks without content": HEAD + b"Content-Type: " + b";" * 900 + b"\r\nContent-Disposition: ;;;",
    **{
        f"the charset {charset[:20]!r}": b"Subject: =?%b?B?2AD8AP8=?= =?%b?Q?=D8=00=ff?=\r\n"
        b"Content-Type: text/plain; charset=%b\r\n\r\n\\ud800 +2AA- \xd8\x00 so\x1b$B\xff soup"
        % ((charset.encode("latin-1"),) * 3)
        for charset in CHARSETS
    },
}  # fmt: skip
INSERTED: Final = (
    b"\r\n",
    b"=?utf-8?B?",
    b"?=",
    b"\x00",
    b'"',
    b"(",
    b"<",
    b";",
    b"*0*=",
    b"--x",
    b"\xed\xa0\x80",
)


def mutated(chance: random.Random) -> bytes:
    """A mail of those above with some changes."""
    small = [data for data in MAILS.values() if len(data) < 5000]
    data = bytearray(chance.choice(small))
    for _ in range(chance.randint(1, 10)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(3):
            case 0:
                del data[at : at + chance.randint(1, 8)]
            case 1:
                data[at:at] = chance.choice(INSERTED)
            case _:
                data[at:at] = chance.choice(small)[: chance.randint(0, 200)]
    return bytes(data)


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world(limits=Limits(max_mails_per_channel_and_hour=1000, mail_receipt_lifetime=0))


def test_sec_hostile_mails_do_no_harm(world: World) -> None:
    address = with_option(address_of(world["ada"]), "show-sender", "prefer-html", "include-quotes")
    chance = random.Random(1)
    mails = {**MAILS, **{f"changed at random, {number}": mutated(chance) for number in range(60)}}
    outcomes = {}
    for name, data in mails.items():
        outcomes[name] = outcome_of_mail(lambda host: world.svc, address, data).outcome
        world.clock.advance(1)  # so that the same Message-ID may come again
    assert {name for name, outcome in outcomes.items() if outcome not in FOR_GOOD} == set()
    refused = {name for name, outcome in outcomes.items() if outcome is not DeliveryOutcome.TAKEN}
    assert refused & MAILS.keys() == {"10,000 parts", "parts in parts", "mails in mails"}
    messages = world["bea"].reads(["channel", "lunch"], num_before=1000, apply_markdown=False)
    assert len(messages) > len(MAILS)
    for message in messages:
        assert not {*"\x00\r\n"} & {*message["subject"]}
        assert "\x00" not in message["content"]
        assert (message["content"] + message["subject"]).encode()  # no halves of characters


def test_sec_hostile_addresses_are_unknown(world: World) -> None:
    address = address_of(world["ada"])
    local, _, host = address.partition("@")
    for one in (
        f"x\r\nRCPT TO:<{address}>",
        f"{address}\r\n",
        f"\n{address}",
        f"{local}\r\n@{host}",
        f"{address}\x00",
        f"\x00{address}",
        f"é{address}",
        f"\ud800@{host}",
        f'"{local}"@{host}',
        f"<{address}>",
        "@" * 10_000,
        f"{local}{'+show-sender' * 20_000}@{host}",
    ):
        assert outcome_of_address(lambda host: world.svc, one).outcome is DeliveryOutcome.UNKNOWN_ADDRESS
        assert "\n" not in outcome_of_address(lambda host: world.svc, one).reply
        assert outcome_of_mail(lambda host: world.svc, one, HEAD).outcome is DeliveryOutcome.UNKNOWN_ADDRESS
