"""Mail to the addresses of channels, as mail programs send it and as they should not."""

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from chatcore import open_chat
from chatcore.application.received_mail.posting import MailTooLarge
from chatcore.application.received_mail.receipts import TooManyMails
from chatcore.application.received_mail.receiving import (
    NoSuchLetterbox,
    receive_mail,
    require_letterbox,
)
from chatcore.application.signing import short_mark
from chatcore.domain.channels.email_addresses import read_local_part
from chatcore.domain.errors import ChatError, UserDeactivated
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from chatcore.domain.received_mail.mails import UnreadableMail
from chatcore.domain.roles import Role
from tests.worlds.files import fetches
from tests.worlds.organization import HOST, MakeWorld, Someone, World, ada, bea, make_world
from tests.worlds.pictures import picture

__all__ = ["ada", "bea", "make_world"]

HOUR = 3600


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    limits = Limits(max_mail_size=100_000, max_mail_attachments=2, max_mails_per_channel_and_hour=3)
    return make_world(data_dir=tmp_path / "data", limits=limits)


@pytest.fixture
def address(ada: Someone) -> str:
    return address_of(ada)


def address_of(who: Someone, channel: str = "lunch", **more: Any) -> str:
    found: str = who.get(f"/streams/{who.world.id(channel)}/email_address", **more)["email"]
    return found


def with_option(address: str, *options: str) -> str:
    local, _, host = address.partition("@")
    return "".join([local, *(f"+{one}" for one in options), "@", host])


def mail(content: str = "Soup at noon.", **headers: str) -> bytes:
    message = EmailMessage()
    given = {"From": "Zoe <zoe@elsewhere.example>", "Subject": "Soup", "Message-ID": "<1@elsewhere.example>"}
    for name, value in (given | {name.replace("_", "-"): value for name, value in headers.items()}).items():
        message[name] = value
    message.set_content(content)
    return message.as_bytes()


def raw(text: str) -> bytes:
    return text.lstrip("\n").replace("\n", "\r\n").encode("latin-1")


def posted(world: World, who: Someone, address: str, data: bytes) -> dict[str, Any]:
    """Receive a mail; return the message as a reader has it, with its source."""
    message_id = receive_mail(world.svc, address, data)
    assert message_id is not None
    message: dict[str, Any] = who.get(f"/messages/{message_id}", apply_markdown=False)["message"]
    return message


# -- what becomes of a mail -------------------------------------------------------------------------


def test_a_mail_is_a_message_with_its_subject_as_topic(world: World, bea: Someone, address: str) -> None:
    line = bea.registers()
    message = posted(world, bea, address, mail())
    assert (message["display_recipient"], message["subject"]) == ("lunch", "Soup")
    assert (message["content"], message["client"]) == ("Soup at noon.", "Email")
    assert message["sender_full_name"] == "Notification Bot"
    (event,) = line.events("message")
    assert event["message"]["id"] == message["id"]


def test_the_account_of_the_address_is_the_sender(world: World, ada: Someone, bea: Someone) -> None:
    for number, sender in enumerate((ada, world["robo"])):
        address = address_of(ada, sender_id=sender.id)
        message = posted(world, bea, address, mail(Message_ID=f"<{number}@x.example>"))
        assert message["sender_id"] == sender.id


def test_plain_text_is_preferred_unless_html_is_asked_for(world: World, bea: Someone, address: str) -> None:
    message = EmailMessage()
    message["Subject"] = "Soup"
    message.set_content("plain soup")
    html = "<p>rich <b>soup</b></p><p><a href='https://x.example/'>more</a></p>"
    message.add_alternative(html, subtype="html")
    assert posted(world, bea, address, message.as_bytes())["content"] == "plain soup"
    message["Message-ID"] = "<2@x.example>"
    rich = posted(world, bea, with_option(address, "prefer-html"), message.as_bytes())
    assert rich["content"] == "rich soup\n\n[more](https://x.example/)"


def test_a_wrapped_item_of_a_list_stays_whole(world: World, bea: Someone, address: str) -> None:
    text = "* a very long item of a list that goes on until the end of its line\nand on the next one"
    assert posted(world, bea, address, mail(text))["content"] == text


def test_html_alone_becomes_text(world: World, bea: Someone, address: str) -> None:
    data = raw("""
From: zoe@elsewhere.example
Subject: Soup
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<html><head><style>p {color: red}</style></head><body><p>One</p><ul><li>a<li>b</ul><script>x</script>
""")
    assert posted(world, bea, address, data)["content"] == "One\n\n* a\n* b"


QUOTING = (
    "Yes.\n\nOn Mon, 1 Jan 2024 at 10:00, Ada <ada@example.org> wrote:\n> Soup?\n\n-- \nZoe, Soup Ltd.\n"
)
OTHERS = "> On Mon, 1 Jan 2024 at 10:00, Ada <ada@example.org> wrote:\n> > Soup?\n>\n> --\n> Zoe, Soup Ltd."


def test_quotations_and_signatures_are_left_out_unless_asked_for(
    world: World, bea: Someone, address: str
) -> None:
    got = posted(world, bea, address, mail(QUOTING, In_Reply_To="<0@x.example>"))
    assert got["content"] == f"Yes.\n\n```spoiler Rest of the mail\n{OTHERS}\n```"
    both = with_option(address, "include-quotes", "include-footer")
    whole = posted(world, bea, both, mail(QUOTING, Message_ID="<2@x.example>", In_Reply_To="<0@x.example>"))
    assert whole["content"] == QUOTING.strip()


def test_the_sender_is_shown_if_asked_for_as_plain_text(world: World, bea: Someone, address: str) -> None:
    data = mail(From='"@**all**" <zoe@elsewhere.example>')
    got = posted(world, bea, with_option(address, "show-sender"), data)
    assert got["content"].startswith("**From:** `")
    assert "zoe@elsewhere.example" in got["content"]
    assert "Soup at noon." in got["content"]
    assert "mention" not in world["bea"].message(got["id"])["content"]


@pytest.mark.parametrize("name", ["@**all**", "@**all", "<@**all**>"])
def test_a_sender_that_is_no_name_is_shown(world: World, bea: Someone, address: str, name: str) -> None:
    data = raw(f"From: {name} <a@b.example>\nSubject: soup\n\nsoup\n")
    got = posted(world, bea, with_option(address, "show-sender"), data)
    assert "a@b.example" in got["content"]
    assert "mention" not in bea.message(got["id"])["content"]


def test_a_subject_that_is_longer_than_a_topic_is_shown(world: World, bea: Someone, address: str) -> None:
    subject = f"@**all** {'long ' * 20}end"
    got = posted(world, bea, address, mail(Subject=subject))
    assert got["content"] == f"**Subject:** `{subject}`\n\nSoup at noon."
    assert "mention" not in bea.message(got["id"])["content"]


def test_answers_and_files_stand_below_quotations(world: World, bea: Someone, address: str) -> None:
    message = EmailMessage()
    message["Subject"] = "Plans"
    message.set_content("> Who comes?\nI come.\n> Who brings soup?\nNot me.\n> Bye\n")
    message.add_attachment(picture(), maintype="image", subtype="png", filename="a.png")
    got = posted(world, bea, address, message.as_bytes())
    html = bea.message(got["id"])["content"]
    assert html.count("<blockquote>") == 3
    for quotation in html.split("<blockquote>")[1:]:
        inside = quotation.partition("</blockquote>")[0]
        assert "I come" not in inside
        assert "Not me" not in inside
        assert "a.png" not in inside


def test_attachments_are_stored_and_linked(world: World, bea: Someone, ada: Someone, address: str) -> None:
    message = EmailMessage()
    message["Subject"] = "Plans"
    message.set_content("see")
    for name in ("a.png", "../b\u202e.png", "c.png"):
        message.add_attachment(picture(), maintype="image", subtype="png", filename=name)
    got = posted(world, bea, address, message.as_bytes())
    lines = got["content"].split("\n")
    assert lines[0] == "see"
    assert lines[1].startswith("[a.png](/user_uploads/")
    assert lines[2].startswith("[b.png](/user_uploads/")
    assert lines[3] == "(1 more attachments were left out.)"
    url = lines[1].partition("(")[2].rstrip(")")
    assert fetches(bea, url).status_code == 200
    assert fetches(world.nobody, url).status_code != 200


def test_nothing_is_left_of_the_attachments_of_a_mail_that_is_refused(world: World, address: str) -> None:
    world.add_people(30, to="lunch")
    world.change_organization(
        permissions={"can_mention_many_users_group": GroupSetting.of(SystemGroup.ADMINISTRATORS)}
    )
    message = EmailMessage()
    message.set_content("@**all** soup")
    for name in ("a.png", "b.png"):
        message.add_attachment(picture(), maintype="image", subtype="png", filename=name)
    with pytest.raises(ChatError):
        receive_mail(world.svc, address, message.as_bytes())
    answer = world["ada"].get("/attachments")
    assert (answer["attachments"], answer["upload_space_used"]) == ([], 0)
    assert [path for path in world.svc.settings.data_dir.rglob("*") if path.is_file()] == []


def test_attachments_that_do_not_fit_are_named(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(data_dir=tmp_path / "data", limits=Limits(max_file_upload_size_mib=0))
    message = EmailMessage()
    message["Subject"] = "Plans"
    message.set_content("see")
    message.add_attachment(picture(), maintype="image", subtype="png", filename="a.png")
    got = posted(world, world["bea"], address_of(world["ada"]), message.as_bytes())
    assert "(`a.png` was left out:" in got["content"]


def test_long_texts_are_cut(world: World, bea: Someone, address: str) -> None:
    got = posted(world, bea, with_option(address, "show-sender"), mail("so " * 10_000))
    assert len(got["content"]) <= world.svc.limits.max_message_length
    assert "[message truncated]\n[mail.txt](" in got["content"]
    assert got["content"].startswith("**From:**")


# -- real mails -------------------------------------------------------------------------------------

SUBJECTS = {
    "Re: AW: Fwd: Soup": "Soup",
    "=?utf-8?B?U8O8cHBjaGVu?=": "Süppchen",
    "=?iso-8859-1?Q?S=FCppchen?= and\n =?utf-8?Q?_more?=": "Süppchen and more",
    "=?no-such-charset?Q?soup?=": "soup",
    "soup\n\twith folded\n words": "soup with folded words",
    "=?gb2312?B?1uzpRrv5us2GtA==?=": "朱镕基和喆",
    "=?us-ascii?Q?=93so=94_=96_5_=80?=": "\u201cso\u201d \u2013 5 €",
    "=?utf-8?B?U8O8cHDD?= =?utf-8?B?pA==?=": "Süppä",
    "=?utf-8?Q?a?= =?latin1?Q?=FC?=": "aü",
    "=?gb2312?B?1uz/u/k=?=": "朱\ufffd基",
    "a =?x?q?b?=\n =?klingon*de?q?c=E9?= d": "a bcé d",
    "S\xfc\x93p": "Sü\u201cp",
    "S\xc3\xbcp": "Süp",
    "": "Email with no subject",
    "Re:": "Email with no subject",
    "\x07\x1b[1m soup": "[1m soup",
    "x" * 500: "x" * 57 + "...",
}


@pytest.mark.parametrize(("subject", "topic"), SUBJECTS.items())
def test_subjects_become_topics(make_world: MakeWorld, subject: str, topic: str) -> None:
    world = make_world()
    data = raw(f"From: zoe@x.example\nSubject: {subject}\n\nsoup\n")
    assert posted(world, world["bea"], address_of(world["ada"]), data)["subject"] == topic


BODIES = {
    "quoted-printable, latin-1": (
        "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n"
        "S=FCp=\npchen",
        "Süppchen",
    ),
    "base64": (
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nU8O8cHBjaGVu",
        "Süppchen",
    ),
    "broken base64": ("Content-Transfer-Encoding: base64\n\nsoup!!! is ready", None),
    "unknown charset": ("Content-Type: text/plain; charset=klingon\n\nsoup", "soup"),
    "another charset than it says": ("Content-Type: text/plain; charset=utf-8\n\ns\xfcp", "süp"),
    "more than its charset has": (
        "Content-Type: text/plain; charset=us-ascii\n\n\x93soup\x94 \x96 5 \x80",
        "\u201csoup\u201d \u2013 5 €",
    ),
    "a page that says its charset": (
        "Content-Type: text/html\n\n<meta charset=windows-1251>\xcf\xf0\xe8\xe2\xe5\xf2",
        "Привет",
    ),
    "no type": ("\nsoup", "soup"),
    "a nul": ("\nso\x00up", "soup"),
    "broken type": ("Content-Type: ;;;/\n\nsoup", "soup"),
    "unending parts": ('Content-Type: multipart/mixed; boundary="x"\n\n--x\n\nsoup\n', "soup"),
    "no boundary": ("Content-Type: multipart/mixed\n\nsoup", "soup"),
    "nothing": ("\n", "(no text)"),
}


@pytest.mark.parametrize("kind", BODIES)
def test_bodies_are_read_as_far_as_they_can_be(make_world: MakeWorld, kind: str) -> None:
    world = make_world()
    body, expected = BODIES[kind]
    data = raw(f"From: zoe@x.example\nSubject: soup\nMIME-Version: 1.0\n{body}")
    got = posted(world, world["bea"], address_of(world["ada"]), data)
    assert got["content"] == expected or (expected is None and got["content"])


NAMES = {
    'filename="=?gb2312?B?1uzpRrv5us2GtA==?=.txt"': "朱镕基和喆.txt",
    "filename*=gb2312''%D6%EC%E9F%BB%F9%BA%CD%86%B4.txt": "朱镕基和喆.txt",
    "filename*0*=utf-8''S%C3; filename*1*=%BCp; filename*2=.txt": "Süp.txt",
    "filename=s.txt; filename*=utf-8''S%C3%BCp.txt": "Süp.txt",
    "filename*=klingon''S%FCp.txt": "Süp.txt",
    'filename="S\xfcp.txt"': "Süp.txt",
    'filename="S\xc3\xbcp \u2013.txt"': "Süp -.txt",
    "filename*=%": "%",
}


@pytest.mark.parametrize(("given", "name"), NAMES.items())
def test_names_of_files_are_read_in_their_charset(world: World, given: str, name: str) -> None:
    head = "Subject: soup\nContent-Type: application/x-soup\nContent-Disposition: attachment; "
    data = f"{head}{given.replace(chr(0x2013), '-')}\n\nsoup".encode("latin-1")
    got = posted(world, world["bea"], address_of(world["ada"]), data)["content"]
    assert got.startswith(f"[{name}](")


def test_the_charset_of_a_text_that_is_a_file_is_kept(world: World) -> None:
    head = "Content-Disposition: attachment; filename=a.txt\nContent-Type: text/plain; charset=gb2312"
    data = head.encode() + b"\n\n" + "朱镕基".encode("gbk")
    got = posted(world, world["bea"], address_of(world["ada"]), data)["content"]
    answer = fetches(world["bea"], got.partition("(")[2].rstrip(")"))
    assert answer.headers["Content-Type"] == "text/plain; charset=gb2312"


def test_headers_that_are_nonsense_do_no_harm(make_world: MakeWorld) -> None:
    world = make_world()
    address = with_option(address_of(world["ada"]), "show-sender")
    for number, header in enumerate(
        (
            "From: <<<>>>@@",
            "From: =?utf-8?B?/////w==?= <a@b>",
            "From:",
            "Date: never",
            "Message-ID: \x00<",
            "\xff: x",
        )
    ):
        data = raw(f"{header}\nSubject: soup {number}\n\nsoup\n")
        assert "soup" in posted(world, world["bea"], address, data)["content"]


def test_sec_mails_in_mails_have_an_end(world: World, address: str) -> None:
    with pytest.raises(UnreadableMail):
        receive_mail(world.svc, address, b"Content-Type: message/rfc822\r\n\r\n" * 3000 + b"\r\nso")


# -- refused and dropped ----------------------------------------------------------------------------


def test_sec_only_addresses_that_were_made_are_taken(world: World, address: str) -> None:
    for unknown in ("lunch@" + HOST, "x." + address, address.replace("@", "0@"), "", "@"):
        with pytest.raises(NoSuchLetterbox):
            require_letterbox(world.svc, unknown)
        with pytest.raises(NoSuchLetterbox):
            receive_mail(world.svc, unknown, mail())
    require_letterbox(world.svc, address)


def leaves(world: World) -> None:
    world["olga"].delete(f"/users/{world['ada'].id}")


def is_closed(world: World) -> None:
    world.permit("lunch", can_send_message_group=GroupSetting.of(SystemGroup.ADMINISTRATORS))


def is_archived(world: World) -> None:
    world["olga"].delete(f"/streams/{world.id('lunch')}")


def closes(world: World) -> None:
    world["olga"].post("/realm/deactivate")


@pytest.mark.parametrize("change", [leaves, is_closed, is_archived, closes])
def test_sec_an_address_is_worth_what_its_maker_may(
    world: World, address: str, change: Callable[[World], None]
) -> None:
    change(world)
    before = world.storage.read(lambda snapshot: snapshot.log.head())
    for refuses in (
        lambda: require_letterbox(world.svc, address),
        lambda: receive_mail(world.svc, address, mail()),
    ):
        with pytest.raises(ChatError):
            refuses()
    assert world.storage.read(lambda snapshot: snapshot.log.head()) == before


def test_sec_an_address_of_a_bot_is_worth_what_the_bot_may(world: World, ada: Someone) -> None:
    address = address_of(ada, sender_id=world["robo"].id)
    for name in ("ada", "robo"):
        world[name].leaves("lunch")
    assert receive_mail(world.svc, address, mail()) is not None
    world.change_user("robo", role=Role.GUEST)
    with pytest.raises(ChatError):
        receive_mail(world.svc, address, mail(Message_ID="<2@elsewhere.example>"))


def test_sec_an_address_of_a_bot_ends_with_the_bot(world: World, ada: Someone) -> None:
    address = address_of(ada, sender_id=world["robo"].id)
    world.change_user("robo", is_active=False)
    with pytest.raises(ChatError):
        receive_mail(world.svc, address, mail())
    with pytest.raises((ChatError, UserDeactivated)):
        require_letterbox(world.svc, address)


def test_sec_addresses_of_a_channel_are_replaced(world: World, ada: Someone, bea: Someone) -> None:
    old, other = [address_of(ada), address_of(bea, sender_id=bea.id)], address_of(ada, "plaza")
    path = f"/streams/{world.id('lunch')}/email_address/replace"
    for name in ("bea", "gus", "cem"):
        world[name].refused("POST", path)
    new = world["olga"].post(path)["email"]
    for address in old:
        with pytest.raises(NoSuchLetterbox):
            require_letterbox(world.svc, address)
        with pytest.raises(NoSuchLetterbox):
            receive_mail(world.svc, address, mail())
    for address in (new, address_of(ada), other):
        require_letterbox(world.svc, address)
    assert address_of(ada) != old[0]
    assert world["olga"].post(path)["email"] not in (new, *old)
    with pytest.raises(NoSuchLetterbox):
        require_letterbox(world.svc, new)


def test_addresses_that_exist_stay_after_an_upgrade(world: World, address: str) -> None:
    """The mark of a channel whose addresses were never replaced is that of the facts alone."""
    found = read_local_part(address.partition("@")[0])
    assert found is not None
    assert found[1] == short_mark(world.svc, "letterbox", found[0].text)


def test_sec_mentions_of_everybody_need_the_right_of_the_maker(world: World, address: str) -> None:
    world.add_people(30, to="lunch")
    world.change_organization(
        permissions={"can_mention_many_users_group": GroupSetting.of(SystemGroup.ADMINISTRATORS)}
    )
    with pytest.raises(ChatError):
        receive_mail(world.svc, address, mail("@**all** soup"))


def test_a_mail_is_posted_once(world: World, bea: Someone, address: str) -> None:
    posted(world, bea, address, mail())
    assert receive_mail(world.svc, address, mail("changed on its way")) is None
    assert receive_mail(world.svc, address_of(bea), mail()) is None
    posted(world, bea, address_of(world["ada"], "plaza"), mail())
    without_id = raw("Subject: soup\n\nsoup\n")
    posted(world, bea, address, without_id)
    assert receive_mail(world.svc, address, without_id) is None


def test_sec_a_channel_takes_so_many_mails_in_an_hour(world: World, bea: Someone, address: str) -> None:
    for number in range(3):
        posted(world, bea, address, mail(Message_ID=f"<{number}@x.example>"))
    with pytest.raises(TooManyMails):
        receive_mail(world.svc, address, mail(Message_ID="<4@x.example>"))
    posted(world, bea, address_of(world["ada"], "plaza"), mail(Message_ID="<4@x.example>"))
    world.clock.advance(HOUR + 1)
    posted(world, bea, address, mail(Message_ID="<4@x.example>"))


def test_sec_a_mail_has_so_many_bytes(world: World, address: str) -> None:
    with pytest.raises(MailTooLarge):
        receive_mail(world.svc, address, mail("x" * 100_000))


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated; owner=x"},
        {"X_Autoreply": "yes"},
        {"Precedence": "auto_reply"},
        {"Return_Path": "<>"},
    ],
)
def test_mails_of_programs_that_answer_are_dropped(
    world: World, address: str, headers: dict[str, str]
) -> None:
    assert receive_mail(world.svc, address, mail(**headers)) is None


def test_mails_that_come_from_a_channel_are_dropped(world: World, bea: Someone, address: str) -> None:
    assert receive_mail(world.svc, address, mail(From=f"Lunch <{address_of(bea, 'plaza')}>")) is None
    assert receive_mail(world.svc, address, mail(Auto_Submitted="no")) is not None


def test_a_program_receives_mail_too() -> None:
    with open_chat(owner_email="ada@example.com") as chat:
        owner = chat.users.actor("ada@example.com")
        address = chat.channels.email_address(owner, chat.channels.id_of(owner, "general"))
        message_id = chat.channels.receive_mail(address, mail())
        assert message_id is not None
        assert chat.messages.get(owner, message_id).message.topic == "Soup"
        assert chat.channels.receive_mail(address, mail()) is None
