"""Addresses of mail, of which the domain may be spelled in letters of all languages, or in ASCII (IDNA)."""

import re
from collections.abc import Sequence
from typing import Final
from unicodedata import is_normalized

ACE = "xn--"
"""The beginning of a part of a domain that stands for one in other letters."""

MAX_DOMAIN = 253
"""Characters of a domain; longer ones do not exist."""

LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
"""The pattern of a part of a domain in ASCII."""
DOMAIN: Final = rf"{LABEL}(?:\.{LABEL})*"
_DOMAIN: Final = re.compile(DOMAIN)


def is_ascii_domain(text: str) -> bool:
    """Whether a text has the form of a domain in ASCII, such as `mail.example.com`."""
    return len(text) <= MAX_DOMAIN and _DOMAIN.fullmatch(text) is not None


def ascii_domain(domain: str) -> str:
    """Return the form of a domain in ASCII, in which mail servers know it; as it stands, if it has none."""
    if domain.isascii() or len(domain) > MAX_DOMAIN:
        return domain
    import idna  # has large tables

    try:
        # Not what Python has: there `straße.example` is `strasse.example`, which may be somebody else's.
        return idna.encode(domain, uts46=True, transitional=False).decode()
    except (idna.IDNAError, ValueError):
        return domain


def ascii_address(email: str) -> str:
    """Return an address with its domain in ASCII: the form in which accounts have it and mail goes there.

    A text without a domain is no address, and stays.
    """
    local, at, domain = email.rpartition("@")
    return f"{local}{at}{ascii_domain(domain)}" if at else email


def address_key(email: str) -> str:
    """Return the key that all spellings of one address share."""
    return ascii_address(email.strip()).lower()


def spellings(email: str) -> Sequence[str]:
    """Return an address in lower case as it is spelled, and then with its domain spelled in other ways.

    Accounts that are older than this rule may have any of them.
    """
    spelled = email.strip().lower()
    plain = ascii_address(spelled)
    local, at, domain = plain.rpartition("@")
    if not at or ACE not in domain or len(domain) > MAX_DOMAIN:
        return list(dict.fromkeys((spelled, plain)))
    import idna

    try:
        shown = idna.decode(domain)
    except (idna.IDNAError, ValueError):
        shown = domain
    return list(dict.fromkeys((spelled, plain, f"{local}{at}{shown}")))


def is_unmistakable(email: str) -> bool:
    """Whether no other address looks like this one. So the part before the domain has no signs that pass for
    letters, such as the sign of kelvin, which in lower case is a k; and the domain has its usual form.
    """
    local = email.rpartition("@")[0]
    return is_normalized("NFKC", local) and email.strip().lower() in spellings(ascii_address(email.strip()))
