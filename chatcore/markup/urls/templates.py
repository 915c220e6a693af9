"""URL templates (RFC 6570) of the administrators, for linkifiers and playgrounds.

A program that expands them may ignore invalid parts, so only valid templates are saved.
"""

import re
from collections.abc import Set
from typing import Final

from uri_template import URITemplate, validate

MAX_TEMPLATE_LENGTH: Final = 2_000

_START = re.compile(r"https?://[^{}/?#\\]+(?:[/?#]|$)", re.IGNORECASE)
"""The beginning of a template whose variables fill neither scheme nor host."""


class BadUrlTemplate(ValueError):
    """An unusable template; the text says why."""


def read_url_template(template: str) -> URITemplate:
    """Return a template that can be expanded.

    :raises BadUrlTemplate: an invalid template; stored ones may be invalid, too
    """
    if "{," in template or not validate(template):  # the first is an extension that only this library has
        raise BadUrlTemplate("Invalid URL template.")
    return URITemplate(template)


def check_url_template(template: str, variables: Set[str]) -> None:
    """Raise BadUrlTemplate unless the template is a web address with exactly these variables.

    Scheme and host are fixed: no variable can fill them.
    """
    if len(template) > MAX_TEMPLATE_LENGTH:
        raise BadUrlTemplate(f"url_template is too long (limit: {MAX_TEMPLATE_LENGTH} characters)")
    if not template.isprintable() or " " in template:
        raise BadUrlTemplate("Invalid URL template.")
    names = set(read_url_template(template).variable_names)
    if not _START.match(template):
        raise BadUrlTemplate("The URL template must begin with http:// or https:// and a host.")
    if names != variables:
        expected = ", ".join(f"'{name}'" for name in sorted(variables)) or "none"
        raise BadUrlTemplate(f"The URL template must have exactly these variables: {expected}.")
