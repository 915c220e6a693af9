"""Names of a person in texts and HTML, replaced exactly."""

import pytest

from chatcore.application.erasure.mentions import Renaming
from chatcore.domain.ids import UserId

NEW = "Deleted person 7"
BEA = Renaming(UserId(7), old="Bea (B.) <Fox>", new=NEW)


@pytest.mark.parametrize(
    ("text", "renamed"),
    [
        ("@**Bea (B.) <Fox>** and @_**bea (b.) <fox>**", f"@**{NEW}|7** and @_**{NEW}|7**"),
        ("@**Somebody Before|7**: hush", f"@**{NEW}|7**: hush"),
        ("@**Bea (B.) <Fox>|8** is another one", "@**Bea (B.) <Fox>|8** is another one"),
        ("@**Bea (B.) <Fox>|77**", "@**Bea (B.) <Fox>|77**"),
        ("@**Bea X** Bea (B.) <Fox>", "@**Bea X** Bea (B.) <Fox>"),
        ("@*Bea* @**all**\n**7**", "@*Bea* @**all**\n**7**"),
    ],
)
def test_texts_refer_to_the_account(text: str, renamed: str) -> None:
    assert BEA.of_text(text) == renamed
    assert BEA.of_text(renamed) == renamed


@pytest.mark.parametrize(
    ("html", "renamed"),
    [
        (
            '<p><span class="user-mention" data-user-id="7">@Bea &lt;Fox&gt;</span></p>',
            f'<p><span class="user-mention" data-user-id="7">@{NEW}</span></p>',
        ),
        (
            '<span class="user-mention silent" data-user-id="7">Bea</span> Bea',
            f'<span class="user-mention silent" data-user-id="7">{NEW}</span> Bea',
        ),
        (
            '<span class="user-mention" data-user-id="77">@Bea</span>',
            '<span class="user-mention" data-user-id="77">@Bea</span>',
        ),
    ],
)
def test_html_names_the_account_by_its_id(html: str, renamed: str) -> None:
    assert BEA.of_html(html) == renamed


def test_a_name_that_others_have_is_left() -> None:
    shared = Renaming(UserId(7), old="", new=NEW)
    assert shared.of_text("@**Bea**, @**** and @**Bea|7**") == f"@**Bea**, @**** and @**{NEW}|7**"
