"""Addresses of the web, as people and other servers give them."""

from urllib.parse import SplitResult, urlsplit


def parse_web_address(text: str) -> SplitResult | None:
    """Return the parts of an absolute http or https address with a host and without white space; None for any
    other text.
    """
    try:
        parts = urlsplit(text)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if is_one and not any(map(str.isspace, text)) else None
