"""Which emoji a reaction is, and which one is meant to be taken back."""

import pytest

from chatcore.domain.emoji import CUSTOM_EMOJI, UNICODE_EMOJI, Emoji, EmojiNames
