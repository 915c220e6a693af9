"""The words of mails about missed messages, and the parts that they have in common with summaries."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from chatcore.domain.characters import isolate
from chatcore.domain.received_mail.pages import lines_of_page
from chatcore.domain.sent_mail.missed import MAX_MESSAGES, Cause

MAX_NAMES: Final = 3
"""Senders that a subject names."""
WHY: Final = {
    Cause.DIRECT: "the messages are for you",
    Cause.MENTION: "you are mentioned",
    Cause.WILDCARD: "everybody there is mentioned",
    Cause.FOLLOWED_TOPIC: "you follow the topic",
    Cause.CHANNEL: "you get mails about the channel",
}
CAN_ANSWER: Final = "Answer this mail to post in the conversation."
CANNOT_ANSWER: Final = "Answers to this mail reach nobody: open the chat to answer."
NO_TEXT: Final = "This mail has no text of messages: you or your organization have chosen so."
PAGE_BEGIN: Final = '<!DOCTYPE html>\n<html>\n<head><meta charset="utf-8"></head>\n<body>'
PAGE_END: Final = "</body>\n</html>\n"
MORE: Final = "There are more messages in the conversation."


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMessage:
    sender: str
    time: str
    page: str
    """Its HTML in the form for mails."""

    @property
    def text(self) -> str:
        lines = "\n".join(line.text for line in lines_of_page(self.page)).strip("\n")
        return f"{isolate(self.sender)}, {self.time}:\n\n{lines}"

    @property
    def html(self) -> str:
        head = f"<p><strong>{escape(isolate(self.sender))}</strong>, {escape(self.time)}:</p>"
        return f"{head}<div>{self.page}</div>"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedMail:
    """The words of a mail about the messages of one conversation."""

    organization: str
    place: str
    """The channel and topic; empty for a direct conversation."""
    others: Sequence[str]
    """The other people of a direct conversation."""
    messages: Sequence[ShownMessage]
    message_count: int
    cause: Cause
    shows_text: bool
    names_organization: bool
    can_be_answered: bool
    link: str
    unsubscribe_link: str

    @property
    def subject(self) -> str:
        end = f" [{self.organization}]" if self.names_organization else ""
        if not self.shows_text:
            return f"New messages for you{end}"
        if self.place:
            return f"{_list_names([message.sender for message in self.messages])} in {self.place}{end}"
        if len(self.others) > 1:
            return f"Direct messages with {_list_names(self.others)}{end}"
        return f"Direct message from {_list_names(self.others)}{end}"

    @property
    def head(self) -> str:
        """Return the first line."""
        if not self.shows_text:
            count = "a new message" if self.message_count == 1 else f"{self.message_count} new messages"
            return f"You have {count} in {isolate(self.organization)}."
        if self.place:
            return isolate(self.place)
        return f"Direct messages with {_list_names(self.others)}"

    @property
    def foot(self) -> Sequence[str]:
        """Return the lines below the messages that come before those with links."""
        more = [MORE] if self.message_count > MAX_MESSAGES else []
        no_text = [] if self.shows_text else [NO_TEXT]
        return [
            *more,
            *no_text,
            CAN_ANSWER if self.can_be_answered else CANNOT_ANSWER,
            f"You get this mail from {isolate(self.organization)} because {WHY[self.cause]}.",
        ]

    @property
    def text(self) -> str:
        """Return the mail as plain text."""
        parts = [self.head]
        parts += [message.text for message in self.messages if self.shows_text]
        return text_of_mail(parts, self.foot, self.link, self.unsubscribe_link)

    @property
    def html(self) -> str:
        """Return the mail as a page without styles and scripts."""
        parts = [f"<p><strong>{escape(self.head)}</strong></p>"]
        parts += [message.html for message in self.messages if self.shows_text]
        return page_of_mail(parts, self.foot, self.link, self.unsubscribe_link)


def text_of_mail(parts: Sequence[str], foot: Sequence[str], link: str, unsubscribe_link: str) -> str:
    """Return a mail of several parts as plain text, with lines and two links below."""
    lines = [*foot, f"Open the chat: {link}", f"No more such mails: {unsubscribe_link}"]
    return "\n\n".join([*parts, "-- \n" + "\n".join(lines)]) + "\n"


def page_of_mail(parts: Sequence[str], foot: Sequence[str], link: str, unsubscribe_link: str) -> str:
    """Return a mail of several parts as a page without styles and scripts, with lines and two links below."""
    below = [
        f"<hr>\n<p>{'<br>'.join(map(escape, foot))}<br>",
        f'<a href="{escape(link)}">Open the chat</a><br>',
        f'<a href="{escape(unsubscribe_link)}">No more such mails</a></p>',
    ]
    return "\n".join([PAGE_BEGIN, *parts, *below, PAGE_END])


def _list_names(names: Sequence[str]) -> str:
    """Return the first of several names, each once, and how many others there are."""
    different = list(dict.fromkeys(names))
    shown, rest = different[:MAX_NAMES], len(different) - MAX_NAMES
    others = [] if rest <= 0 else [f"{rest} other" if rest == 1 else f"{rest} others"]
    words = [*map(isolate, shown), *others]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
