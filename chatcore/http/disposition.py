"""The Content-Disposition header: whether a file is shown or saved, and under which name."""

from urllib.parse import quote


def content_disposition(name: str, *, inline: bool) -> str:
    """Return the header's value; a name beyond ASCII is also given in UTF-8, which browsers prefer."""
    kind = "inline" if inline else "attachment"
    plain = "".join(c if c.isascii() and c.isprintable() and c not in '"\\%' else "_" for c in name)
    header = f'{kind}; filename="{plain}"'
    return header if plain == name else f"{header}; filename*=UTF-8''{quote(name, safe='')}"
