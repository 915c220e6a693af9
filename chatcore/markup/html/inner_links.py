"""The addresses of links to channels, topics and messages."""

from collections.abc import Iterable
from urllib.parse import quote

from chatcore.markup.blocks.run import Token
from chatcore.markup.facts import ChannelFact, Facts
from chatcore.markup.options import Options


def inner_address(token: Token, channel: ChannelFact, facts: Facts, options: Options) -> str:
    """Return the address of a channel, a topic or a message, relative to the realm."""
    address = channel_address(channel.id, channel.name, options.forms.channel_path)
    if token["type"] == "channel_link":
        return address
    address += f"/topic/{encode_operand(token['topic'])}"
    if token["type"] == "message_link":
        return f"{address}/near/{token['message_id']}"
    newest = facts.newest_messages.get((channel.id, token["topic"]))
    if newest is not None and options.forms.links_to_messages:
        address += f"/with/{newest}"
    return address


def channel_address(channel_id: int, name: str, path: str = "channel") -> str:
    """Return the address of a channel, relative to the realm."""
    return f"/#narrow/{path}/{channel_id}-{encode_operand(name.replace(' ', '-'))}"


def conversation_address(user_ids: Iterable[int]) -> str:
    """Return the address of the conversation with these other people, relative to the realm."""
    return f"/#narrow/dm/{','.join(map(str, sorted(user_ids)))}-dm"


def encode_operand(text: str) -> str:
    """Encode *text* for the address of a narrow: percent-encoded, with dots for the percent signs."""
    return quote(text, safe="").replace(".", "%2E").replace("%", ".")
