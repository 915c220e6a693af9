"""Texts that try to break out: fragments of syntax and of HTML thrown together, and mutations of texts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from chatcore.markup import (
    EARLIER,
    CardFact,
    ChannelFact,
    Facts,
    GroupFact,
    ImageFact,
    Linkifier,
    Options,
    UserFact,
)

FRAGMENTS = (
    *(
        "*",
        "**",
        "***",
        "~~",
        "`",
        "``",
        "```",
        "~~~",
        "$$",
        "[",
        "]",
        "(",
        ")",
        "](",
        "![",
        ">",
        "<",
        "<time:",
    ),
    *(":", "::", "@**", "@_**", "@*", "#**", "|", "-", "+", "1.", "#", "##", "---", "_", "\\", "/", "&", ";"),
    *("'", '"', "=", ",", ".", "!", "?"),
    *(
        "\n",
        "\n\n",
        " ",
        "  ",
        "    ",
        "\t",
        "\n> ",
        "\n* ",
        "\n  * ",
        "\n1. ",
        "\n```",
        "\n~~~",
        "\n|",
        "\n-|-\n",
    ),
    *(
        "```quote\n",
        "```spoiler ",
        "```math\n",
        "```python\n",
        '``` a" onx="1\n',
        "~~~ quote\n",
        "```{.js}\n",
    ),
    *(
        "@**Ada**",
        "@_**Ada**",
        "@**|1**",
        "@**all**",
        "@**topic**",
        "@*crew*",
        "@**<b>**",
        "@**Eve\" onx='**",
    ),
    *(
        "#**garden**",
        "#**garden>roses**",
        "#**garden>roses@7**",
        "#**garden>**",
        '#**<i>&"**',
        '#**<i>&">\'"**',
    ),
    *(
        "[a](https://a.example/)",
        "[a](/x)",
        "[a](#x)",
        '[a](b "t")',
        "[",
        "](javascript:alert(1))",
        "](data:x)",
    ),
    *(
        "](//host)",
        "](\\\\host)",
        "](JaVa\tScRiPt:a)",
        "](&#106;avascript:a)",
        "](/&#47;host)",
        "](\x01javascript:a)",
    ),
    *(
        "](vbscript:a)",
        "](blob:a)",
        "](file:///x)",
        "](</x>)",
        '](x "\'><img src=x onerror=alert(1)>")',
        "](/a/../b)",
    ),
    *(
        "https://a.example/b.png",
        "https://a.example/(a)",
        "a.example.com",
        "a@b.example",
        "/user_uploads/1/ab/c.png",
    ),
    *(
        "https://chat.example/#x",
        "https://chat.example/user_uploads/1/ab/c.png",
        "https://card.example/",
        "a.mp4",
    ),
    *(
        "![x](/user_uploads/1/ab/c.mp3)",
        "![x](https://a.example/c.ogg)",
        "![x](y)",
        "https://[::1/",
        "http://a.b:9/",
    ),
    *(
        "](http:////[a)",
        "](ssh:////[a.png)",
        "](mailto:a@b.png)",
        "](sms:a.mp4)",
        "](/api/a.png)",
        "](/user_uploads/../a.png)",
        "](http:a)",
        "a@b.example.png",
        "---",
    ),
    *(
        ":smile:",
        ":crew_cat:",
        ":evil:",
        ":)",
        "<3",
        "\u2764\ufe0f",
        "\U0001f44d\U0001f3fd",
        "\U0001f9d1\u200d",
        "1\u20e3",
    ),
    *(
        "<b>",
        "</p>",
        "</code>",
        "<script>",
        "<img src=x onerror=alert(1)>",
        "<!--",
        "-->",
        "]]>",
        "<?",
        "</a>",
        "<a href=",
    ),
    *(
        "&lt;",
        "&amp;",
        "&#x3c;",
        "&#60;",
        "&quot;",
        "&bogus;",
        "&#0;",
        "&#xD800;",
        "&",
        "\u202e",
        "\u200b",
        "\u0301",
        "\xa0",
    ),
    *(
        "<time:2024-01-01>",
        "<time:x>",
        '<time:"><b>',
        "#12",
        'Z"x',
        "T-1",
        "\x02",
        "\x03",
        "\x020\x03",
        "\x02f0\x03",
        "\0",
    ),
    *("\ud800", "\ufeff", "\ufffe", "\u2028", "\x85", "\x0b", "\x0c", "\r", "\r\n", "\x7f", "\x1b[1m"),
    *(
        "$$x^2$$",
        "$$<b>$$",
        "*a*",
        "**b**",
        "~~c~~",
        "`d`",
        "``e`",
        "/me ",
        "word",
        "x",
        "1",
        "\xe9",
        "\u4e2d",
    ),
)

AROUND = (
    ("[", "](https://a.example/)"),
    ("[", "](https://a.example/a.png)"),
    ("***", "***"),
    ("**", "**"),
    ("*", "*"),
    ("~~", "~~"),
    ("> ", "\n\n"),
    ("* ", "\n"),
    ("1. ", "\n  "),
    ("1. ---\n", "\n"),
    ("# ", "\n"),
    ("|a|\n|-|\n|", "|\n"),
    ("```spoiler a\n", "\n```\n"),
    ("```quote\n", "\n```\n"),
)
"""Contexts that fragments are placed in; by chance alone, rules would rarely be nested in each other."""

EVIL = "\"'><img src=x onerror=alert(1)>&"

OPTIONS = (
    Options(
        realm_url="https://chat.example",
        linkifiers=(
            Linkifier("#(?P<id>[0-9]+)", "https://track.example/{id}"),
            Linkifier("Z(?P<x>.+)", "https://z.example/?q={x}#{+x}"),
            Linkifier("(?P<x>T-.)", "javascript:{x}"),
        ),
        translate_emoticons=True,
        file_links=True,
    ),
    Options(realm_url="https://chat.example", forms=EARLIER, default_code_language="quote"),
)

FACTS = Facts(
    users=(
        UserFact(1, "Ada"),
        UserFact(2, EVIL),
        UserFact(3, "<b>", is_active=False),
        UserFact(4, "Eve\" onx='"),
    ),
    groups=(GroupFact(5, "crew"), GroupFact(6, EVIL)),
    channels=(ChannelFact(7, "garden"), ChannelFact(8, '<i>&"')),
    newest_messages={(7, "roses"): 9},
    custom_emoji={"crew_cat": "/user_avatars/1/cat.png", "evil": f"/{EVIL}"},
    images={"1/ab/c.png": ImageFact(8, 6, transcoded="8x6.webp", is_animated=True)},
    cards={"https://card.example/": CardFact(EVIL, EVIL, f"https://i.example/{EVIL})\\\n;color:red")},
)


def thrown_together(chance: random.Random) -> str:
    pieces = chance.choices(FRAGMENTS, k=chance.randint(1, 14))
    for _ in range(chance.randint(0, 4)):
        start = chance.randrange(len(pieces))
        before, after = chance.choice(AROUND)
        end = start + chance.randint(1, 3)
        pieces[start:end] = [before, *pieces[start:end], after]
    return "".join(pieces)


def mutated(chance: random.Random, texts: Sequence[str]) -> str:
    text, other = chance.choice(texts), chance.choice(texts)
    for _ in range(chance.randint(1, 3)):
        place = chance.randint(0, len(text))
        match chance.randint(0, 3):
            case 0:
                text = text[:place] + chance.choice(FRAGMENTS) + text[place:]
            case 1:
                text = text[:place] + text[place + chance.randint(1, 4) :]
            case 2:
                text = text[:place] + other[chance.randint(0, len(other)) :]
            case _:
                text = text[:place] + chance.choice("*`~>#[]()<:@!$|- \n\"'_&/\\") + text[place + 1 :]
    return text


def hostile_texts(count: int, seed: int, texts: Sequence[str]) -> Iterator[str]:
    """Half of them thrown together from fragments, half of them mutations of *texts*."""
    chance = random.Random(seed)
    for number in range(count):
        yield mutated(chance, texts) if texts and number % 2 else thrown_together(chance)
