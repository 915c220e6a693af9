"""The meanings of emoji names, and the addresses of pictures of emoji that are not characters."""

from collections.abc import Iterable

from chatcore.application.services import Services
from chatcore.application.units import View
from chatcore.domain.emoji import EmojiNames
from chatcore.domain.organization.custom_emoji import CustomEmoji
from chatcore.markup.emoji import CODE_OF


def extra_emoji_path(name: str) -> str:
    """Return the path of the picture of the server's own emoji, which everybody can read; clients derive it
    from the name.
    """
    return f"/static/generated/emoji/images/emoji/unicode/{name}.png"


def emoji_names(view: View, name: str) -> EmojiNames:
    """Return the emoji that *name* can mean."""
    custom = {own.name: str(own.id) for own in view.snapshot.emoji.active([name]).values()}
    return EmojiNames(unicode=CODE_OF, custom=custom, extra=view.svc.settings.extra_emoji)


def pictures_by_name(svc: Services, own: Iterable[CustomEmoji]) -> dict[str, str]:
    """Return the addresses of the pictures of emoji that are not characters; the organization's *own* take
    precedence over the server's one.
    """
    extra = svc.settings.extra_emoji
    return {extra: extra_emoji_path(extra), **{custom.name: custom.source_url for custom in own}}
