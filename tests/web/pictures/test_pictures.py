"""The look of the screens, and of what opens over them: the colours of grounds and controls, and where they
are.

Letters differ between machines, so each cell of a picture is the one colour that most of its pixels have.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from PIL import Image

from tests.web.conftest import PEOPLE, RENDERED, Person
from tests.web.screens import goes, opened

Opens = Callable[..., Person]

FOLDER = Path(__file__).parent
CELL = 8
"""The width of a cell in pixels."""
NEAR = 4
"""The greatest difference of each part of a colour, of 255."""
MOST_OTHERS = 0.006
"""The share of the cells that may have another colour: where words of other letters end, or break."""
FEW = 10
"""A colour that so many cells have has to be there, wherever."""
PHONE, DESK = {"width": 390, "height": 800}, {"width": 1280, "height": 800}
LARGE = {"width": 1920, "height": 1080}
LOOK: Any = {"viewport": DESK, "reduced_motion": "reduce", "locale": "en-US", "color_scheme": "light"}
SET_TOKEN = "([name, value]) => document.documentElement.style.setProperty(name, value)"
PAGES = {
    "recent": "recent",
    "channels": "channels",
    "people": "people",
    "groups": "groups",
    "organization": "organization",
    "drafts": "drafts",
    "later": "later",
    "settings": "settings/appearance",
}
"""The addresses of pages, by the names of their pictures."""
OPENED = {
    "palette": "[role=option]",
    "keys": "dialog",
    "menu": "details.own[open]",
    "card": ".card",
    "emoji": ".emoji-list button",
    "editor": ".editor",
    "completion": ".completions li",
    "schedule": "dialog",
}
"""A part of each thing that opens, by which it is found to be open."""
SAID = (
    "Is there **soup** today?",
    "There is: lentils, peas and salt.\n\n- lentils\n- peas\n- salt",
    "```python\ndef soup(salt: int = 1) -> str:\n    return 'hot' * salt\n```",
    "> Who cooks?\n\n@**Ada Fox** does.",
)


def cells(path: Path) -> Image.Image:
    """Return a picture with one pixel for each cell."""
    with Image.open(path) as taken:
        whole = taken.convert("RGB")
    small = Image.new("RGB", (whole.width // CELL, whole.height // CELL))
    for x in range(small.width):
        for y in range(small.height):
            cell = whole.crop((x * CELL, y * CELL, (x + 1) * CELL, (y + 1) * CELL))
            _, colour = max(cell.getcolors() or [])
            small.putpixel((x, y), colour)
    return small


def is_alike(one: Image.Image, other: Image.Image) -> bool:
    """Whether few cells have another colour, and no colour of some cells is gone."""
    if one.size != other.size:
        return False
    colours, those = one.get_flattened_data(), other.get_flattened_data()
    others = sum(not is_near(*pair) for pair in zip(colours, those, strict=True))
    wanted = [colour for colour, count in Counter(those).items() if count >= FEW]
    has_all = all(any(is_near(colour, one) for one in set(colours)) for colour in wanted)
    return has_all and others <= MOST_OTHERS * len(those)


def is_near(one: Any, other: Any) -> bool:
    return all(abs(a - b) <= NEAR for a, b in zip(one, other, strict=True))


def furnish(ada: Person, bea: Person) -> tuple[str, str]:
    """Let two people talk; return the addresses of their channel's page and of their conversation."""
    for person in (ada, bea):
        person.calls("POST", "users/me/subscriptions", subscriptions=[{"name": "kitchen"}])
    channel = ada.calls("GET", "get_stream_id", stream="kitchen")["stream_id"]
    me = ada.calls("GET", "users/me")["user_id"]
    for person, text in zip((ada, bea, bea, bea), SAID, strict=True):
        person.calls("POST", "messages", type="channel", to=channel, topic="soup", content=text)
    bea.calls("POST", "messages", type="direct", to=[me], content="Is there bread, too?")
    return f"channels/{channel}", f"narrow/channel/{channel}/topic/soup"


def screens(ada: Person, channel: str, conversation: str) -> Iterator[str]:
    """Open one screen after the other, and yield its name."""
    page = ada.page
    page.goto(f"{ada.url}#inbox")
    page.reload()
    page.locator(".inbox > ul > li time").nth(1).wait_for()
    yield "inbox"
    for name, address in {**PAGES, "channel": channel}.items():
        goes(ada, address)
        yield name
    ada.goes_to(conversation)
    ada.sees("does.")
    page.locator("article.unread").last.wait_for(state="detached")
    yield "conversation"
    for name, opens in opened(ada).items():
        page.reload()
        goes(ada, conversation)
        ada.sees("does.")
        opens()
        page.locator(OPENED[name]).first.wait_for()
        yield name
    ada.calls("POST", "accounts/logout")  # the page begins anew by itself
    page.get_by_role("button", name=PEOPLE["ada"]).wait_for()
    yield "login"


def picture(ada: Person, path: Path) -> Path:
    """Take a picture of what the person sees."""
    ada.page.mouse.move(0, 0)
    ada.page.evaluate(RENDERED)
    ada.page.screenshot(path=path, animations="disabled", caret="hide")
    return path


def test_screens_look_as_in_the_pictures(somebody: Opens, tmp_path: Path) -> None:
    ada = somebody("ada", **LOOK)
    renews = bool(os.environ.get("CHATCORE_TESTS_PICTURES"))  # noqa: TID251
    others = []
    for screen in screens(ada, *furnish(ada, somebody("bea"))):
        for size, scheme in product((LARGE, DESK, PHONE), ("dark", "light")):
            name = f"{screen}_{size['width']}_{scheme}.png"
            ada.page.set_viewport_size(size)
            ada.page.emulate_media(color_scheme=scheme)
            taken = cells(picture(ada, tmp_path / name))
            if renews:
                taken.save(FOLDER / name, optimize=True)
            with Image.open(FOLDER / name) as wanted:
                if not is_alike(taken, wanted.convert("RGB")):
                    others.append(name)
        ada.page.set_viewport_size(DESK)
    assert others == [], f"if they look as they should: CHATCORE_TESTS_PICTURES=1; see {tmp_path}"


CHANGES = {
    "--side": "oklch(94% 0.004 262)",
    "--ground": "oklch(97% 0 0)",
    "--fill": "oklch(40% 0.06 262 / 20%)",
    "--hue": "120",
    "--accent-soft": "oklch(90% 0.06 30)",
    "--accent": "oklch(50% 0.17 140)",
    "--w-side": "16rem",
    "--bar": "5rem",
}


def test_changes_of_tokens_are_seen_and_other_letters_are_not(somebody: Opens, tmp_path: Path) -> None:
    ada = somebody("ada", **LOOK)
    next(screens(ada, *furnish(ada, somebody("bea"))))
    wanted = cells(picture(ada, tmp_path / "wanted.png"))

    def is_seen(name: str, value: str) -> bool:
        ada.page.evaluate(SET_TOKEN, [name, value])
        taken = cells(picture(ada, tmp_path / "taken.png"))
        ada.page.evaluate(SET_TOKEN, [name, ""])
        return not is_alike(taken, wanted)

    assert [name for name, value in CHANGES.items() if not is_seen(name, value)] == []
    assert [family for family in ("serif", "monospace") if is_seen("--family", family)] == []
