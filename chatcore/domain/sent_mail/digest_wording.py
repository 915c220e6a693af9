"""The words of summaries by mail after a long absence."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from chatcore.domain.characters import isolate
from chatcore.domain.sent_mail.wording import (
    CANNOT_ANSWER,
    NO_TEXT,
    ShownMessage,
    page_of_mail,
    text_of_mail,
)

WHY: Final = "You get this mail because you have not been there for some days."
NEW_CHANNELS: Final = "New channels:"


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestTopic:
    """A topic with unread messages, of which the first ones are shown."""

    place: str
    """The channel and topic."""
    message_count: int
    sender_count: int
    messages: Sequence[ShownMessage]
    link: str

    @property
    def head(self) -> str:
        messages = "a message" if self.message_count == 1 else f"{self.message_count} messages"
        people = "" if self.sender_count == 1 else f" by {self.sender_count} people"
        return f"{isolate(self.place)}: {messages}{people}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewChannel:
    name: str
    link: str

    @property
    def label(self) -> str:
        return isolate(f"#{self.name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestMail:
    """The words of a summary."""

    organization: str
    topics: Sequence[DigestTopic]
    channels: Sequence[NewChannel]
    message_count: int
    """All unread messages of the time that the summary is about."""
    shows_text: bool
    link: str
    unsubscribe_link: str

    @property
    def subject(self) -> str:
        return f"What was new in {self.organization}"

    @property
    def head(self) -> str:
        """Return the first line."""
        organization = isolate(self.organization)
        if self.message_count == 0:
            return f"There are new channels in {organization}."
        count = "a new message" if self.message_count == 1 else f"{self.message_count} new messages"
        return f"You have {count} in {organization}."

    @property
    def foot(self) -> Sequence[str]:
        """Return the lines below the messages that come before those with links."""
        return [CANNOT_ANSWER, WHY] if self.shows_text else [NO_TEXT, CANNOT_ANSWER, WHY]

    @property
    def text(self) -> str:
        """Return the mail as plain text."""
        parts = [self.head]
        for topic in self.topics if self.shows_text else ():
            parts += [f"{topic.head}\n{topic.link}", *(message.text for message in topic.messages)]
        if self.channels and self.shows_text:
            lines = (f"{channel.label} {channel.link}" for channel in self.channels)
            parts.append("\n".join([NEW_CHANNELS, *lines]))
        return text_of_mail(parts, self.foot, self.link, self.unsubscribe_link)

    @property
    def html(self) -> str:
        """Return the mail as a page without styles and scripts."""
        parts = [f"<p><strong>{escape(self.head)}</strong></p>"]
        for topic in self.topics if self.shows_text else ():
            parts.append(f'<hr>\n<p><a href="{escape(topic.link)}">{escape(topic.head)}</a></p>')
            parts += [message.html for message in topic.messages]
        if self.channels and self.shows_text:
            links = (
                f'<a href="{escape(channel.link)}">{escape(channel.label)}</a>' for channel in self.channels
            )
            parts.append(f"<hr>\n<p>{NEW_CHANNELS} {', '.join(links)}</p>")
        return page_of_mail(parts, self.foot, self.link, self.unsubscribe_link)
