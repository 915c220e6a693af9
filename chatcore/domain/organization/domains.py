"""Domains of addresses: those of the organization, and those of disposable addresses."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from chatcore.domain.errors import BadRequest
from chatcore.domain.mail_addresses import MAX_DOMAIN, address_key, ascii_domain

MAX_DOMAINS = 500
MAX_DOMAIN_LENGTH = 80
_LABEL = re.compile(r"[a-z0-9-]+")

_DISPOSABLE = """
10mail.org 10minutemail.com 10minutemail.net 20minutemail.com 33mail.com anonbox.net burnermail.io
discard.email discardmail.com dispostable.com emailondeck.com fakeinbox.com fakemailgenerator.com
getairmail.com getnada.com grr.la guerrillamail.biz guerrillamail.com guerrillamail.de
guerrillamail.info guerrillamail.net guerrillamail.org guerrillamailblock.com harakirimail.com
incognitomail.org inboxbear.com jetable.org mail-temp.com mailcatch.com maildrop.cc mailexpire.com
mailinator.com mailinator.net mailinator2.com mailnesia.com mailnull.com minutemail.com moakt.com
mohmal.com mytemp.email mytrashmail.com nada.email mintemail.com nowmymail.com pokemail.net
sharklasers.com shieldemail.com sogetthis.com spam4.me spambog.com spambox.us spamex.com
spamgourmet.com spamhole.com temp-mail.io temp-mail.org tempail.com tempinbox.com tempmail.com
tempmail.dev tempmail.net tempmailaddress.com tempmailo.com throwawaymail.com tmail.ws tmpmail.net
tmpmail.org trash-mail.com trashmail.com trashmail.de trashmail.me trashmail.net trbvm.com
wegwerfmail.de wegwerfmail.net wegwerfmail.org yopmail.com yopmail.fr yopmail.net
"""
DISPOSABLE = frozenset(_DISPOSABLE.split())
"""Well-known providers of addresses that anybody can read or that expire soon."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain of the organization."""

    domain: str
    allow_subdomains: bool

    def covers(self, name: str) -> bool:
        return name == self.domain or (self.allow_subdomains and name.endswith(f".{self.domain}"))


def spelled_as_stored(raw: str) -> str:
    """Return the name of a domain in lower case and ASCII; as it stands, if it is too long for any domain."""
    name = raw.strip()
    return name if len(name) > MAX_DOMAIN else ascii_domain(name.lower())


def checked_domain_name(raw: str) -> str:
    """Check the name of a domain and return it in lower case and ASCII.

    :raises BadRequest: empty, too long, without a dot, or not the name of a domain
    """
    name = spelled_as_stored(raw)
    if not name:
        raise BadRequest("Domain can't be empty.")
    if len(name) > MAX_DOMAIN_LENGTH:
        raise BadRequest(f"Domain is too long (limit: {MAX_DOMAIN_LENGTH} characters).")
    if "." not in name:
        raise BadRequest("Domain must have at least one dot (.)")
    labels = name.split(".")
    if not labels[0] or not labels[-1]:
        raise BadRequest("Domain cannot start or end with a dot (.)")
    for label in labels:
        if label.startswith("-") or label.endswith("-"):
            raise BadRequest("Subdomains cannot start or end with a '-'.")
        if not _LABEL.fullmatch(label):
            raise BadRequest("Domain can only have letters, numbers, '.' and '-'s.")
    return name


def require_new(domains: Collection[Domain], name: str) -> None:
    """Check that a domain can be added.

    :raises BadRequest: it is there already, or there are too many
    """
    if any(domain.domain == name for domain in domains):
        raise BadRequest(f"Domain {name} is already a part of your organization.")
    if len(domains) >= MAX_DOMAINS:
        raise BadRequest(f"There can be {MAX_DOMAINS} domains at most.")


def find(domains: Collection[Domain], name: str) -> Domain:
    """Return the domain with this name, which is spelled as stored.

    :raises BadRequest: it is not a domain of the organization
    """
    for domain in domains:
        if domain.domain == name:
            return domain
    raise BadRequest(f"No entry found for domain {name[:MAX_DOMAIN_LENGTH]}.")


def require_domain(email: str, domains: Collection[Domain]) -> None:
    """Check that an address is of one of the domains, in an organization that restricts addresses to them.

    Addresses with `+` before the `@` are refused, too, because one person can have any number of them.

    :raises BadRequest: another domain, or a `+`
    """
    local, _, name = address_key(email).rpartition("@")
    if "+" in local:
        raise BadRequest("Email addresses containing + are not allowed in this organization.")
    if not any(domain.covers(name) for domain in domains):
        raise BadRequest(f"Email '{email}' does not belong to a domain of this organization.")


def require_lasting(email: str) -> None:
    """Check that an address is not of a well-known provider of disposable addresses.

    :raises BadRequest: such a provider, or a subdomain of one
    """
    labels = address_key(email).rpartition("@")[2].rstrip(".").split(".")
    if any(".".join(labels[start:]) in DISPOSABLE for start in range(len(labels))):
        raise BadRequest("Disposable email addresses are not allowed in this organization.")
