"""Names, types and limits of uploaded files."""

import pytest

from chatcore.domain.files.media_types import BEGINNING, SHOWN, is_shown, stored_type, text_charset
from chatcore.domain.files.uploads import (
    QuotaExceeded,
    UploadsDisabled,
    file_key,
    max_bytes,
    original_name,
    path_id_of,
    quota_in_force,
    require_quota,
    shown_name,
    url_name,
)
from chatcore.domain.limits import Limits


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("plan.pdf", "plan.pdf"),
        ("Q3 (final)  plan.pdf", "Q3 (final)  plan.pdf"),
        ("über alles.pdf", "über alles.pdf"),
        ("/etc/passwd", "passwd"),
        ("../../x", "x"),
        ("C:\\Users\\ada\\x.txt", "x.txt"),
        ("a/b\\c", "c"),
        ("a%20b.txt", "a b.txt"),
        ("%2e%2e%2fx", "../x"),
        ("a\0b", "ab"),
        ("a\ud800b", "a?b"),
        ("a\r\nb", "a b"),
        ("a%0d%0a%1b[31m%E2%80%AEgpj.exe", "a [31mgpj.exe"),
        ("a\x85\u2028\u200e\u2066b\ufdd0\U000e0041.txt", "a b.txt"),
        ("می\u200cخواهم.txt", "می\u200cخواهم.txt"),
        ("\U0001f469\u200d\U0001f4bb.png", "\U0001f469\u200d\U0001f4bb.png"),
        ("%1b.%1b.", None),
        ("", None),
        (".", None),
        ("..", None),
        ("%2e%2e", None),
        ("ada/", None),
        ("\0", None),
    ],
)
def test_a_file_is_called_what_its_client_calls_it_without_folders(raw: str, name: str | None) -> None:
    assert original_name(raw) == name


@pytest.mark.parametrize(
    ("name", "plain", "in_ascii"),
    [
        ("plan.pdf", "plan.pdf", "plan.pdf"),
        ("Q3 (final)  plan.pdf", "Q3-final-plan.pdf", "Q3-final-plan.pdf"),
        ("über_alles.PDF", "über_alles.PDF", "ber_alles.PDF"),
        ("お茶.png", "お茶.png", ".png"),
        ("ﬁle①.txt", "file1.txt", "file1.txt"),
        ("a - - b", "a-b", "a-b"),
        ("--a--", "-a-", "-a-"),
        (" a \t\n b ", "a-b", "a-b"),
        ("../x", "..x", "..x"),
        ("<b>\"';&", "b", "b"),
        ("a\u202egpj.exe", "agpj.exe", "agpj.exe"),
        ("..", "uploaded-file", "uploaded-file"),
        ("", "uploaded-file", "uploaded-file"),
        ("☕", "uploaded-file", "uploaded-file"),
        ("¿?", "uploaded-file", "uploaded-file"),
    ],
)
def test_the_name_in_an_address_is_harmless(name: str, plain: str, in_ascii: str) -> None:
    assert url_name(name) == plain
    assert url_name(name, ascii_only=True) == in_ascii


def test_sec_63_long_names_are_cut_but_keep_their_ending() -> None:
    assert original_name("x" * 5000 + ".pdf") == "x" * 251 + ".pdf"
    assert original_name("x" * 5000) == "x" * 255
    assert original_name("x." + "y" * 5000) == "x." + "y" * 253
    assert url_name("x" * 5000 + ".tar.gz") == "x" * 252 + ".gz"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("plan.pdf", "plan.pdf"),
        ('a"b\\c/d', "a_b_c_d"),
        ("a\r\nb\x7f", "ab"),
        ("gpj.\u202eexe", "gpj.exe"),
        ("\u202e", "uploaded-file"),
    ],
)
def test_sec_63_a_name_that_is_shown_has_nothing_that_misleads(name: str, shown: str) -> None:
    assert shown_name(name) == shown


def test_the_bytes_are_kept_under_what_no_client_has_chosen() -> None:
    path_id = path_id_of("a1", "x" * 24, "plan.pdf")
    assert path_id == f"1/a1/{'x' * 24}/plan.pdf"
    assert file_key(path_id) == f"a1/{'x' * 24}"


@pytest.mark.parametrize(
    ("said", "name", "stored"),
    [
        ("image/png", "x.txt", "image/png"),
        ("Text/HTML; charset=UTF-8", "x", "Text/HTML; charset=UTF-8"),
        ('text/x; a="b c"; d=e', "x", 'text/x; a="b c"; d=e'),
        ("", "x.pdf", "application/pdf"),
        ("", "x.WEBP", "image/webp"),
        ("", "x.avif", "image/avif"),
        ("", "x.unknown", "application/octet-stream"),
        ("", "x", "application/octet-stream"),
        ("", "../x.png", "image/png"),
        ("image/png\r\nSet-Cookie: a=b", "x.gif", "image/gif"),
        ("image", "x.gif", "image/gif"),
        ("image/", "x.gif", "image/gif"),
        ("a/b;c", "x.gif", "image/gif"),
        ("a/" + "b" * 99, "x.gif", "a/" + "b" * 99),
        ("a/b" + ";a=b" * 80, "x.gif", "image/gif"),
        ("text/plain", "x", "text/plain; charset=utf-8"),
        ("text/plain; charset=koi8-r", "x", "text/plain; charset=koi8-r"),
        ("text/plain; charset=klingon", "x", "text/plain; charset=utf-8"),
        ("", "x.txt", "text/plain; charset=utf-8"),
    ],
)
def test_the_type_is_the_clients_or_the_one_of_the_name(said: str, name: str, stored: str) -> None:
    assert stored_type(said, name, b"soup") == stored


@pytest.mark.parametrize(
    ("beginning", "charset"),
    [
        (b"", "utf-8"),
        ("Grüße".encode(), "utf-8"),
        ("Grüße".encode("utf-16"), "utf-16"),
        ("Grüße".encode("latin-1"), "windows-1252"),
        (b"x" * (BEGINNING - 1) + b"\xc3", "utf-8"),
        (b"x" * (BEGINNING - 1) + b"\xc3\xb6"[:1], "utf-8"),
        (b"\xff" + b"x" * BEGINNING, "windows-1252"),
        (b"xx\xc3", "windows-1252"),
        ("Grüße und €".encode() + b"\xff", "utf-8"),
    ],
)
def test_plain_text_gets_the_charset_that_it_looks_like(beginning: bytes, charset: str) -> None:
    assert text_charset(beginning) == charset


BEGINNINGS = {
    "application/pdf": b"%PDF-1.7",
    "image/gif": b"GIF89a...",
    "image/jpeg": b"\xff\xd8\xff\xe0",
    "image/png": b"\x89PNG\r\n\x1a\n....",
    "image/webp": b"RIFF....WEBPVP8 ",
    "image/avif": b"....ftypavif",
    "audio/aac": b"\xff\xf1..",
    "audio/flac": b"fLaC",
    "audio/mpeg": b"ID3..",
    "audio/wav": b"RIFF....WAVE",
    "audio/mp4": b"....ftypM4A ",
    "video/mp4": b"....ftypisom",
    "video/webm": b"\x1a\x45\xdf\xa3..",
    "text/plain": b"anything",
}


def test_all_types_that_are_shown_are_recognized_by_how_they_begin() -> None:
    assert BEGINNINGS.keys() == SHOWN.keys()
    for media_type, beginning in BEGINNINGS.items():
        assert is_shown(media_type, beginning), media_type
        assert is_shown(media_type.upper() + "; charset=utf-8", beginning), media_type
        others = [
            kind for kind, other in BEGINNINGS.items() if other is not beginning and is_shown(kind, beginning)
        ]
        assert not {*others} - {"text/plain", "audio/mp4", "video/mp4", "audio/aac", "audio/mpeg"}, media_type


@pytest.mark.parametrize(
    "media_type",
    [
        "text/html",
        "image/svg+xml",
        "application/xhtml+xml",
        "text/xml",
        "application/javascript",
        "text/javascript",
        "application/octet-stream",
        "image/bmp",
        "image/png",
        "application/pdf",
        "video/mp4",
        "image/tiff",
        "",
    ],
)
def test_sec_62_nothing_is_shown_that_is_not_what_it_says(media_type: str) -> None:
    assert not is_shown(media_type, b"<html><script>alert(1)</script>")


def test_the_size_limit_is_in_mebibytes_and_zero_is_for_no_uploads() -> None:
    assert max_bytes(Limits(max_file_upload_size_mib=25)) == 25 * 2**20
    with pytest.raises(UploadsDisabled):
        max_bytes(Limits(max_file_upload_size_mib=0))


def test_the_quota_counts_what_is_taken() -> None:
    require_quota(10**15, 10**15, None)
    require_quota(2**20 - 7, 7, 1)
    require_quota(0, 0, 0)
    with pytest.raises(QuotaExceeded):
        require_quota(2**20 - 6, 7, 1)


@pytest.mark.parametrize(
    ("of_owners", "of_server", "in_force"),
    [(None, 0, None), (None, 5, 5), (3, 0, 3), (3, 5, 3), (7, 5, 5), (0, 5, 0), (0, 0, 0)],
)
def test_owners_allow_themselves_no_more_than_the_server_does(
    of_owners: int | None, of_server: int, in_force: int | None
) -> None:
    assert quota_in_force(of_owners, Limits(max_upload_space_mib=of_server)) == in_force
