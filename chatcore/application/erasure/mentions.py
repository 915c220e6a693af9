"""Mentions of a person in texts of others, under another name.

HTML names the account by its id, so the name in it is replaced wherever it is that of the account, and
nowhere else. The text has a mention as it was written: with the id, or with the name alone.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from chatcore.domain.ids import UserId
from chatcore.domain.messages.messages import Message
from chatcore.storage.people.erasures import StoredText


@dataclass(frozen=True)
class Renaming:
    """The replacement of an account's name; the new one means nothing else in HTML or markup."""

    user_id: UserId
    old: str
    """The name by which texts mention the account without its id; empty if others have the same."""
    new: str

    @property
    def html_mark(self) -> str:
        """The part of HTML that each mention of the account has, and no other."""
        return f'data-user-id="{self.user_id}"'

    @cached_property
    def _in_html(self) -> re.Pattern[str]:
        return re.compile(rf'(<span class="user-mention[^">]*" {self.html_mark}>@?)[^<]*(?=</span>)')

    @cached_property
    def _in_text(self) -> re.Pattern[str]:
        name_alone = f"|{re.escape(self.old)}" if self.old else ""
        return re.compile(rf"(@_?)\*\*(?:[^*\n]+\|{self.user_id}{name_alone})\*\*", re.IGNORECASE)

    def of_html(self, html: str) -> str:
        return self._in_html.sub(rf"\g<1>{self.new}", html)

    def of_text(self, text: str) -> str:
        return self._in_text.sub(rf"\g<1>**{self.new}|{self.user_id}**", text)

    def of_message(self, message: Message) -> Message:
        return message._replace(
            content=self.of_text(message.content), rendered_content=self.of_html(message.rendered_content)
        )

    def of_stored(self, stored: StoredText) -> StoredText:
        return stored._replace(content=self.of_text(stored.content), html=self.of_html(stored.html))
