"""Pages for browsers: the web client and the reference; what they do in a browser is in `tests.web`."""

import gzip
import json
import re
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from urllib.parse import urljoin

import pytest
from PIL import Image
from werkzeug.test import Client, TestResponse

import chatcore
from chatcore.http.pages.imports import insert_links
from chatcore.http.pages.web import CLIENT
from tests.worlds.organization import HOST, MakeWorld, Someone, World

BROWSER_PAGES = ("/", "/api/docs")
PREFIXES = ("", "/team/chat")
MOST_IN_THE_WHEEL = 2**20
MOST_AS_SENT = 160_000
MOST_LINES = 12_000
MANIFEST = "manifest.webmanifest"
WEB = Path(chatcore.__file__).parent / "web"


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("path", BROWSER_PAGES)
def test_a_page_finds_its_files_and_they_are_stored_for_ever(world: World, path: str, prefix: str) -> None:
    client = Client(world.application)
    page = client.get(path, base_url=f"http://{HOST}{prefix}")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert page.headers["Cache-Control"] == "no-cache"
    names = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(names) > 2
    for name in set(names) - {MANIFEST}:
        address = urljoin(f"http://{HOST}{prefix}{path}", name)
        file = client.get(address.removeprefix(f"http://{HOST}{prefix}"), base_url=f"http://{HOST}{prefix}")
        assert file.status_code == 200, address
        assert "immutable" in file.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("mount", "address"),
    [("/team/chat", "/team/chat/"), ("", "/"), ("//evil.example", "/evil.example/"), ("/té", "/t%C3%A9/")],
)
def test_the_address_of_a_mount_leads_to_the_page(world: World, mount: str, address: str) -> None:
    environ = {"SCRIPT_NAME": mount.encode().decode("latin-1"), "PATH_INFO": "", "REQUEST_URI": ""}
    answer = Client(world.application).get("/", environ_overrides=environ)
    assert (answer.status_code, answer.headers["Location"]) == (308, address)
    assert Client(world.application).post("/", environ_overrides=environ).status_code == 405


@pytest.mark.parametrize("path", BROWSER_PAGES)
def test_the_policy_of_a_page_permits_nothing_inside_of_it(world: World, path: str) -> None:
    page = Client(world.application).get(path)
    policy = dict(rule.split(" ", 1) for rule in page.headers["Content-Security-Policy"].split("; "))
    assert (policy["default-src"], policy["script-src"], policy["style-src"]) == (
        "'none'", "'self'", "'self'"
    )  # fmt: skip
    assert policy["frame-ancestors"] == "'none'"
    assert "'unsafe-" not in str(policy)
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", page.text)


@pytest.mark.parametrize("mode", ["proxy", "off", "direct"])
def test_pictures_of_other_sites_are_permitted_only_where_readers_ask_for_them(
    make_world: MakeWorld, mode: str
) -> None:
    page = Client(make_world(external_images=mode).application).get("/")
    policy = dict(rule.split(" ", 1) for rule in page.headers["Content-Security-Policy"].split("; "))
    elsewhere = " https: http:" if mode == "direct" else ""
    assert policy["img-src"] == f"'self' data: blob:{elsewhere}"
    assert policy["media-src"] == f"'self'{elsewhere}"


FIXED = (*BROWSER_PAGES, "/main.js", "/worker.js", "/api/v1/openapi.json", "/static/emoji.json")


def answer_to(world: World, path: str, method: str = "GET", **headers: str) -> TestResponse:
    """Ask for a page, or for a file that the web client names."""
    client = Client(world.application)
    if path == "/main.js":
        path = "/" + re.findall(r'src="([^"]+main.js)"', client.get("/").text)[0]
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.open(path, method=method, headers=named)


@pytest.mark.parametrize("path", FIXED)
def test_what_a_browser_has_is_not_sent_again(world: World, path: str) -> None:
    for encoding in ("gzip", "identity"):
        first = answer_to(world, path, Accept_Encoding=encoding)
        etag = first.headers["ETag"]
        for known in (etag, f"W/{etag}", f'"other", {etag}', "*"):
            again = answer_to(world, path, Accept_Encoding=encoding, If_None_Match=known)
            assert (again.status_code, again.data) == (304, b"")
            kept = ("ETag", "Cache-Control", "Vary", "Content-Security-Policy")
            assert [again.headers.get(name) for name in kept] == [first.headers.get(name) for name in kept]
            assert "Content-Length" not in again.headers
        for unknown in ('"other"', etag[1:-1] + "x", ""):
            assert answer_to(world, path, Accept_Encoding=encoding, If_None_Match=unknown).status_code == 200
        head = answer_to(world, path, "HEAD", Accept_Encoding=encoding)
        assert (head.data, head.content_length) == (b"", len(first.data))


@pytest.mark.parametrize("path", FIXED)
def test_pages_and_files_are_compressed_for_clients_that_unpack_them(world: World, path: str) -> None:
    plain = answer_to(world, path)
    for wanted in ("gzip", "gzip, deflate, br, zstd", "br;q=1, GZIP;q=0.2", "*"):
        packed = answer_to(world, path, Accept_Encoding=wanted)
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert packed.content_length == len(packed.data) < len(plain.data)
        assert packed.headers["ETag"] != plain.headers["ETag"]
        assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
        assert packed.content_type == plain.content_type
    for wanted in ("", "identity", "gzip;q=0", "br", "*;q=0", "é", "gzip;q=x"):
        other = answer_to(world, path, Accept_Encoding=wanted)
        assert "Content-Encoding" not in other.headers
        assert other.data == plain.data


def test_answers_with_secrets_are_not_compressed(ada: Someone) -> None:
    ada.headers["Accept-Encoding"] = "gzip"
    for method, path in (("POST", "/register"), ("GET", "/users"), ("GET", "/users/me")):
        assert "Content-Encoding" not in ada.request(method, path).headers


def test_a_page_with_another_policy_is_sent_again(world: World, make_world: MakeWorld) -> None:
    framed = make_world(frame_ancestors=("https://club.example.com",))
    known = answer_to(world, "/").headers["ETag"]
    assert answer_to(framed, "/", If_None_Match=known).status_code == 200
    assert (
        answer_to(framed, "/api/docs", If_None_Match=answer_to(world, "/api/docs").headers["ETag"]).data
        == b""
    )


def version() -> str:
    return CLIENT.address_of("main.js").split("/")[1]


def shell() -> list[str]:
    """Return the files of the client that a page can need."""
    start = f"/web/{version()}/"
    names = [path.removeprefix(start) for path in CLIENT.pages() if path.startswith(start)]
    return [name for name in names if name.endswith((".js", ".css", ".svg", ".png"))]


def test_the_worker_is_of_one_release_and_permitted_nothing_but_requests(world: World) -> None:
    client = Client(world.application)
    worker = client.get("/worker.js")
    assert (worker.mimetype, worker.headers["Cache-Control"]) == ("text/javascript", "no-cache")
    assert worker.headers["Content-Security-Policy"] == "default-src 'none'; connect-src 'self'"
    assert f'"{version()}"' in worker.text
    assert f'"{" ".join(shell())}"' in worker.text
    assert version() in client.get("/").text
    assert not [path for path in CLIENT.pages() if path.startswith("/web") and path.endswith("worker.js")]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_browser_installs_the_client_under_the_name_of_the_organization(
    make_world: MakeWorld, prefix: str
) -> None:
    world = make_world()
    base = f"http://{HOST}{prefix}"
    for name in ("Soup Society", "Salad Society"):
        world["olga"].patch("/realm", name=name)
        answer = Client(world.application).get(f"/{MANIFEST}", base_url=base)
        assert answer.mimetype == "application/manifest+json"
        manifest = json.loads(answer.data)
        assert manifest["name"] == name
        own = urljoin(f"{base}/", MANIFEST)
        assert {urljoin(own, manifest[one]) for one in ("start_url", "scope")} == {f"{base}/"}
        for icon in manifest["icons"]:
            path = urljoin(own, icon["src"]).removeprefix(base)
            picture = Client(world.application).get(path, base_url=base)
            assert (picture.status_code, picture.mimetype) == (200, icon["type"])
            if icon["sizes"] != "any":
                size = Image.open(BytesIO(picture.data)).size
                assert "{}x{}".format(*size) == icon["sizes"]


TOY: Mapping[str, str] = {
    "main.js": 'import { a } from "./model/a.js";\nimport {\n  b,\n  c,\n} from "./b.js";\nimport"./c.js";\n',
    "c.js": 'const late = () => import("./late.js");\n/** @type {import("./types.js").T} */\n',
    "model/a.js": 'import{b}from"../b.js";\nexport * from "./deep.js";\nexport const x = "./no.js";\n',
    "model/deep.js": 'export { y } from "../main.js";\nexport const from = ["./no.js"];\n',
    "b.js": "",
    "chat.js": 'import "./b.js";\nimport "./d.js";\nimport "./main.js";\n',
    "d.js": "",
}


def test_a_page_names_what_its_files_import() -> None:
    first, last = (
        "".join(f'<link href="x/{{version}}/{name}">\n' for name in names)
        for names in (("style.css", "main.js", "icon.svg"), ("chat.js",))
    )
    page = insert_links(f"{first}  {{imports}}\n{last}    {{imports}}\n", TOY.__getitem__)
    at_first, at_last = page.removeprefix(first).split(last)
    link = re.compile(r'rel="modulepreload" href="x/{version}/(.+?)"')
    assert link.findall(at_last) == ["d.js"]
    assert link.findall(at_first) == ["model/a.js", "b.js", "c.js", "model/deep.js"]


def test_the_reference_is_small() -> None:
    home = Path(chatcore.__file__).parent
    files = [path for path in (home / "reference").rglob("*") if path.is_file()]
    files.append(home / "http" / "openapi" / "examples.json")
    assert sum(len(zlib.compress(path.read_bytes())) for path in files) < MOST_IN_THE_WHEEL


def without_comments(text: str) -> list[str]:
    comments = r"/\*.*?\*/[ \t]*|^ *//.*?$| //[^\"'`\n]*$"
    return re.sub(comments, "", text, flags=re.DOTALL | re.MULTILINE).split()


def source_of(name: str) -> str:
    """Return the source of a file of the client, of `main.css` those of the styles that it names."""
    source = (WEB / name).read_text("utf-8")
    parts = re.findall(r'@import url\("(.+)"\)', source) if name.endswith(".css") else []
    return "".join((WEB / "style" / part).read_text("utf-8") for part in parts) or source


def test_files_are_sent_without_comments_and_indentation_and_with_all_their_lines(world: World) -> None:
    client, sent = Client(world.application), 0
    for path in (path for path in CLIENT.pages() if path.endswith((".js", ".css"))):
        file = client.get(path, headers={"Accept-Encoding": "gzip"})
        name = "device/worker.js" if path == "/worker.js" else path.split("/", 3)[3]
        source, text = source_of(name), client.get(path).text
        if name == "device/worker.js":
            text = text.replace(" ".join(shell()), "{files}").replace(version(), "{version}")
        sent += len(file.data)
        if name.startswith("vendor/"):
            assert text == source
            continue
        assert text.count("\n") == source.count("\n")
        assert without_comments(text) == without_comments(source)
        assert "/** @" not in text
        assert "\n/** " not in text
        assert not re.search("^ *//|^[ \t]", text, re.MULTILINE)
        assert not re.search(r"; /[/*][^\"'`\n]*$", text, re.MULTILINE)
    assert sent <= MOST_AS_SENT
    sources = [path for kind in ("*.js", "*.css") for path in WEB.rglob(kind) if path.parent.name != "vendor"]
    assert sum(path.read_text("utf-8").count("\n") for path in sources) <= MOST_LINES


def test_all_styles_are_sent_as_one() -> None:
    assert [path.split("/")[-2:] for path in CLIENT.pages() if path.endswith(".css")] == [
        ["style", "main.css"]
    ]
    main = (WEB / "style" / "main.css").read_text("utf-8")
    assert re.fullmatch(r'(@import url\("[a-z]+\.css"\);\n)+', main), "what is beside the imports is not sent"
    named = re.findall(r'"(.+)"', main)
    assert sorted([*named, "main.css"]) == sorted(path.name for path in WEB.rglob("*.css"))
