"""URL templates that may be saved."""

from __future__ import annotations

import pytest

from chatcore.markup import BadUrlTemplate, check_url_template
from chatcore.markup.urls.templates import MAX_TEMPLATE_LENGTH


def test_a_template_for_a_web_address_is_taken() -> None:
    check_url_template("https://play.example/?code={code}", {"code"})


@pytest.mark.parametrize(
    "template",
    [
        "https://play.example/{code}" + "a" * MAX_TEMPLATE_LENGTH,
        "https://play.example/{code}\n",
        "https://play.example/ {code}",
        "https://play.example/{code",
        "{code}",
        "javascript:{code}",
        "https://{code}",
        "https://play.example/",
        "https://play.example/{code}{more}",
    ],
)
def test_any_other_is_refused(template: str) -> None:
    with pytest.raises(BadUrlTemplate):
        check_url_template(template, {"code"})
