"""URL templates (RFC 6570) of the administrators, checked before they are saved.

A program that expands them may pass over what is not valid; so nothing that is not gets in.
"""

from collections.abc import Set
from typing import Final

import uri_template

from chatcore.markup.linkifiers import SCHEME

MAX_TEMPLATE_LENGTH: Final = 2_000


class BadUrlTemplate(ValueError):
    """A template that cannot be used; the text says why."""


def check_url_template(template: str, variables: Set[str]) -> None:
    """Raises BadUrlTemplate unless it is one for a web address with exactly these variables.

    Scheme and host are fixed: a variable can fill neither.
    """
    if len(template) > MAX_TEMPLATE_LENGTH:
        raise BadUrlTemplate(f"The URL template has more than {MAX_TEMPLATE_LENGTH} characters.")
    if not template.isprintable() or " " in template or not uri_template.validate(template):
        raise BadUrlTemplate("Invalid URL template.")
    if not SCHEME.match(template):
        raise BadUrlTemplate("The URL template must begin with http:// or https:// and a host.")
    found = set(uri_template.URITemplate(template).variable_names)
    if found != variables:
        expected = ", ".join(f"'{name}'" for name in sorted(variables))
        raise BadUrlTemplate(f"The URL template must have exactly the variable {expected}.")
