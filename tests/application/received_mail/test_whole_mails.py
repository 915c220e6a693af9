"""Mails to channels lose nothing: what is left out of the text is below it, or a file."""

import re
from email.message import EmailMessage
from typing import Any

import pytest

from chatcore.application.received_mail.receiving import receive_mail
from tests.application.received_mail.test_receiving import address_of, posted, with_option
from tests.worlds.files import fetches
from tests.worlds.organization import MakeWorld, World, make_world
from tests.worlds.pictures import picture

__all__ = ["make_world"]

HTML = "<html><body>{}</body></html>"
REST = "\n\n```spoiler Rest of the mail\n"


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world()


def answer(text: str, kind: str = "plain", **headers: str) -> EmailMessage:
    message = EmailMessage()
    given = {"From": "zoe@x.example", "Subject": "Re: Soup", "In-Reply-To": "<0@x.example>"}
    for name, value in (given | {name.replace("_", "-"): value for name, value in headers.items()}).items():
        message[name] = value
    message.set_content(text, subtype=kind)
    return message


def content(world: World, mail: EmailMessage, *options: str) -> str:
    address = with_option(address_of(world["ada"]), *options)
    text: str = posted(world, world["bea"], address, mail.as_bytes())["content"]
    return text


BETWEEN = "Hi Ada,\n\nOn Monday, Ada wrote:\n> Which day?\n\nWednesday.\n\n> And where?\n\nAt the usual cafe."
ORIGINAL = "-----Original Message-----\nFrom: Ada\nSubject: Soup\n\nThe menu."
FORWARDED = "---------- Forwarded message ---------\nFrom: Ada\n\nOn Monday, Cem wrote:\n> The menu."
QUOTED = "On Monday, Ada wrote:\n> The menu."
WHOLE = {
    "answers between quotations": BETWEEN,
    "an answer below": f"{QUOTED}\n\nGood.",
    "a quotation of something else": "The manual says:\n> never open it",
    "a command": "Run this:\n> make test",
    "hyphens between parts": "a\n--\nb\n--\nc",
    "only a quotation": QUOTED,
    "a salutation": f"Hi Bea,\n\n{QUOTED}",
    "a remark on what is below": f"FYI\n\n{QUOTED}",
    "a question about what is below": f"Any thoughts?\n\n{QUOTED}",
    "a remark and names": f"Hi Bea,\n\nplease see below.\n\nZoe\n\n{QUOTED}",
    "a remark in German": f"Zur Info!\n\n{ORIGINAL}",
    "a mail that is passed on, without its prefix": f"Interesting for all.\n\n{FORWARDED}",
    "one of another program": "For all.\n\nBegin forwarded message:\n\n> From: Ada\n>\n> The menu.",
    "answers within an original": f"Hi Ada,\nsee inline.\n\n{ORIGINAL}\nZoe: Soup.",
    "answers below an original": f"My answers are below.\n\n{ORIGINAL}\nSoup.",
    "answers in German": f"Antworten im Text\n\n{ORIGINAL}\nSuppe.",
    "nothing but a signature": "-- \nZoe",
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE.keys())
def test_what_is_no_quotation_at_the_end_stays(world: World, text: str) -> None:
    assert content(world, answer(text)) == text


@pytest.mark.parametrize("prefix", ["Fwd: ", "FW: ", "WG: ", "[list] Fwd: ", "TR : ", "转发："])
@pytest.mark.parametrize(
    "text", [f"Interesting for all.\n\n{part}" for part in (ORIGINAL, FORWARDED, QUOTED)]
)
def test_a_mail_that_is_passed_on_stays_whole(world: World, prefix: str, text: str) -> None:
    assert content(world, answer(text, Subject=f"{prefix}Re: Soup")) == text


def test_a_mail_that_answers_nothing_stays_whole(world: World) -> None:
    mail = answer(f"A story.\n\n{QUOTED}", Subject="Soup")
    del mail["In-Reply-To"]
    assert content(world, mail) == f"A story.\n\n{QUOTED}"


LEFT_OUT = {
    "a quotation": (f"Yes.\n\n{QUOTED}\n", "Yes.", "> On Monday, Ada wrote:\n> > The menu."),
    "a signature": ("Yes.\n-- \nZoe", "Yes.", "> --\n> Zoe"),
    "both": (
        f"Yes.\n\n{QUOTED}\n\n-- \nZoe",
        "Yes.",
        "> On Monday, Ada wrote:\n> > The menu.\n>\n> --\n> Zoe",
    ),
    "a signature above": (
        f"Yes.\n-- \nZoe\n\n{QUOTED}",
        "Yes.",
        "> --\n> Zoe\n>\n> On Monday, Ada wrote:\n> > The menu.",
    ),
    "an original": (
        f"Yes.\n\n{ORIGINAL}",
        "Yes.",
        "> " + ORIGINAL.replace("\n\n", "\n\n").replace("\n", "\n> "),
    ),
    "the last of several": (
        f"Yes.\n\nOn Sunday, Cem wrote:\n> A?\n\nB.\n\n{QUOTED}",
        "Yes.\n\nOn Sunday, Cem wrote:\n> A?\n\nB.",
        "> On Monday, Ada wrote:\n> > The menu.",
    ),
    "one that names its writer inside": (
        "Yes.\n\n> On Monday, Ada wrote:\n>\n> The menu.",
        "Yes.",
        "> > On Monday, Ada wrote:\n> >\n> > The menu.",
    ),
    "the last hyphens": ("a\n-- \nb\n-- \nZoe", "a\n-- \nb", "> --\n> Zoe"),
}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_what_is_left_out_is_below_the_text(world: World, case: str) -> None:
    text, kept, rest = LEFT_OUT[case]
    rest = rest.replace("\n> \n", "\n>\n")
    assert content(world, answer(text)) == f"{kept}{REST}{rest}\n```"
    both = answer(text, Message_ID="<2@x.example>")
    assert content(world, both, "include-quotes", "include-footer") == text.strip()


def test_nobody_is_mentioned_by_what_is_left_out(world: World) -> None:
    mail = answer("Yes.\n\nOn Monday, Ada wrote:\n> @**all** @**Bea**\n> ```\n> x")
    message_id = receive_mail(world.svc, address_of(world["ada"]), mail.as_bytes())
    got = world["bea"].get(f"/messages/{message_id}")["message"]
    assert not {"mentioned", "stream_wildcard_mentioned"} & {*got["flags"]}
    assert all("silent" in tag for tag in re.findall('<span class="[^>]*mention[^>]*>', got["content"]))


GMAIL = (
    '<div dir="ltr">{own}</div><br><div class="gmail_quote"><div class="gmail_attr">{head}<br></div>'
    '<blockquote class="gmail_quote" style="margin:0"><div>The menu.</div></blockquote>{below}</div>'
)
PAGES_WHOLE = {
    "forwarded": '<div>Look.</div><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded '
    "message ---------<br>From: Ada</div><p>The menu.</p></div>",
    "forwarded, quoted": '<div>Look.</div><blockquote type="cite"><div>Begin forwarded message:</div>'
    "<div>The menu.</div></blockquote>",
    "below": GMAIL.format(own="Hi", head="On Monday, Ada wrote:", below="<div>The menu is old.</div>"),
    "between": '<p>Hi Ada,</p><div class="moz-cite-prefix">Ada, Monday:</div><blockquote type="cite">The'
    ' menu?</blockquote><p>Yes.</p><blockquote type="cite">Where?</blockquote><p>There.</p>',
    "a quotation of something else": "<p>The manual says:</p><blockquote>The menu.</blockquote>",
    "a remark": GMAIL.format(own="FYI", head="On Monday, Ada wrote:", below=""),
}


@pytest.mark.parametrize("case", PAGES_WHOLE)
def test_pages_stay_whole_too(world: World, case: str) -> None:
    got = content(world, answer(HTML.format(PAGES_WHOLE[case]), "html"))
    assert "menu" in got
    assert "spoiler" not in got
    for words in ("Look.", "Yes.", "There.", "The menu is old."):
        assert (words in PAGES_WHOLE[case]) == (words in got)


PAGES_DIVIDED = {
    "one program": GMAIL.format(
        own="Yes.", head="Mon, Ada &lt;<a href='mailto:a@x.example'>a@x.example</a>&gt;:", below=""
    ),
    "another": '<p>Yes.</p><div class="moz-cite-prefix">Le lundi, Ada :</div><blockquote type="cite">The'
    ' menu.</blockquote><pre class="moz-signature">-- <br>Zoe</pre>',
    "with its head inside": '<p>Yes.</p><blockquote type="cite"><div>On Monday, Ada wrote:</div><br>'
    "<p>The menu.</p></blockquote>",
    "without classes": "<p>Yes.</p><p>On Monday, Ada wrote:</p><blockquote>The menu.</blockquote>",
    "without blockquote": '<p>Yes.</p><div class="yahoo_quoted"><div>On Monday, Ada wrote:</div>The '
    "menu.</div>",
    "a signature": '<p>Yes.</p><div class="gmail_signature"><table><tr><td>Zoe<td>The menu.</table></div>',
    "unmarked": "<p>Yes.</p><p>-----Original Message-----</p><p>From: Ada</p><p>The menu.</p>",
}


@pytest.mark.parametrize("case", PAGES_DIVIDED)
def test_what_is_left_out_of_pages_is_below_them(world: World, case: str) -> None:
    got = content(world, answer(HTML.format(PAGES_DIVIDED[case]), "html"))
    kept, _, rest = got.partition(REST)
    assert kept == "Yes."
    assert "The menu." in rest
    both = answer(HTML.format(PAGES_DIVIDED[case]), "html", Message_ID="<2@x.example>")
    whole = content(world, both, "include-quotes", "include-footer")
    assert "The menu." in whole
    assert "spoiler" not in whole


def linked_text(world: World, got: str) -> str:
    assert "[mail.txt](/user_uploads/" in got
    url = got.rpartition("[mail.txt](")[2].partition(")")[0]
    return fetches(world["bea"], url).data.decode()


def test_what_is_too_long_to_be_below_is_a_file(make_world: MakeWorld, tmp_path: Any) -> None:
    world = make_world(data_dir=tmp_path / "data")
    text = "Yes.\n\nOn Monday, Ada wrote:\n" + "\n".join(f"> line {i}" for i in range(2000))
    got = content(world, answer(text))
    assert got.startswith("Yes.\n[mail.txt](")
    assert linked_text(world, got) == text


def test_what_is_cut_is_a_file(make_world: MakeWorld, tmp_path: Any) -> None:
    world = make_world(data_dir=tmp_path / "data")
    text = " ".join(f"word{i}" for i in range(5000))
    got = content(world, answer(text))
    assert len(got) <= world.svc.limits.max_message_length
    assert "[message truncated]\n[mail.txt](" in got
    assert linked_text(world, got) == text


def test_what_is_too_long_to_be_read_is_a_file(make_world: MakeWorld, tmp_path: Any) -> None:
    world = make_world(data_dir=tmp_path / "data")
    page = "<p>first</p>" + f"<p style='{'x' * 300_000}'></p>" + "<p>last</p>"
    got = content(world, answer(page, "html"))
    assert got.startswith("first")
    url = got.partition("[mail.html](")[2].partition(")")[0]
    assert fetches(world["bea"], url).data.decode().endswith("<p>last</p>\n")


# -- several texts ----------------------------------------------------------------------------------

TEXT = "Content-Type: text/plain; charset=utf-8\n\n"
PAGE = "Content-Type: text/html; charset=utf-8\n\n"
PICTURE = "Content-Type: image/png\nContent-Disposition: inline; filename=a.png\n\nx"


def parts(kind: str, *inner: str) -> str:
    boundary = f"b{abs(hash(inner))}"
    lines = "".join(f"\n--{boundary}\n{part}" for part in inner)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{lines}\n--{boundary}--\n'


PARTS = {
    "around a picture": (parts("mixed", f"{TEXT}a", PICTURE, f"{TEXT}b"), "a\n\nb", "a\n\nb"),
    "text and page": (parts("mixed", f"{TEXT}a", PICTURE, f"{PAGE}<p>b"), "a\n\nb", "a\n\nb"),
    "one text, several pages": (
        parts("alternative", f"{TEXT}a", parts("mixed", f"{PAGE}<i>b", PICTURE, f"{PAGE}<i>c")),
        "a",
        "b\n\nc",
    ),
    "several of both": (
        parts(
            "mixed",
            parts("alternative", f"{TEXT}a", f"{PAGE}<i>b"),
            PICTURE,
            parts("alternative", f"{TEXT}c", f"{PAGE}<i>d"),
            f"{TEXT}e",
        ),
        "a\n\nc\n\ne",
        "b\n\nd\n\ne",
    ),
    "an empty text": (
        parts("alternative", f"{TEXT} ", parts("related", f"{PAGE}<p>b", PICTURE)),
        "b",
        "b",
    ),
    "an empty page": (parts("alternative", f"{TEXT}a", f"{PAGE}<img src=x>"), "a", "a"),
}


@pytest.mark.parametrize("case", PARTS)
def test_all_texts_of_a_mail_are_in_the_message(world: World, case: str) -> None:
    body, plain, rich = PARTS[case]
    for number, (options, expected) in enumerate((((), plain), (("prefer-html",), rich))):
        data = f"Subject: Soup\nMessage-ID: <{number}@x.example>\nMIME-Version: 1.0\n{body}"
        address = with_option(address_of(world["ada"]), *options)
        got = posted(world, world["bea"], address, data.encode())["content"]
        text, _, file = got.partition("\n[a.png]" if "[a.png]" in got else "\n(`a.png`")
        assert text == expected
        assert bool(file) == (PICTURE in body)


def test_a_signature_ends_with_its_part(world: World) -> None:
    body = parts("mixed", f"{TEXT}a\n-- \nZoe", PICTURE, f"{TEXT}b")
    data = f"Subject: Soup\nMIME-Version: 1.0\n{body}".encode()
    got = posted(world, world["bea"], address_of(world["ada"]), data)["content"]
    assert got.startswith(f"a\n\nb{REST}> --\n> Zoe\n```")


def test_a_picture_and_its_texts_stay_together(make_world: MakeWorld, tmp_path: Any) -> None:
    world = make_world(data_dir=tmp_path / "data")
    mail = answer("a")
    mail.add_attachment(picture(), maintype="image", subtype="png", filename="a.png", disposition="inline")
    mail.add_attachment("b", disposition="inline")
    got = content(world, mail)
    assert got.startswith("a\n\nb\n[a.png](/user_uploads/")
