"""The rules of the recipients of a message."""

import pytest

from chatcore.domain.errors import BadRequest
from chatcore.domain.messages.recipients import only_channel


def test_a_message_goes_to_exactly_one_channel() -> None:
    assert only_channel([7]) == 7
    for to in ([], [7, 7]):
        with pytest.raises(BadRequest, match="exactly one channel"):
            only_channel(to)
