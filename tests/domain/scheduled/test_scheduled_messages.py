"""The rules of scheduled messages."""

import pytest

from chatcore.domain.errors import BadRequest
from chatcore.domain.scheduled.scheduled_messages import LATEST, require_future

NOW = 1_750_000_000


@pytest.mark.parametrize("due", [NOW + 1, LATEST])
def test_a_message_can_be_scheduled_for_the_future(due: int) -> None:
    require_future(due, NOW)


@pytest.mark.parametrize("due", [-1, 0, NOW - 1, NOW, LATEST + 1, 2**63 - 1])
def test_no_message_is_scheduled_for_the_past_or_the_far_future(due: int) -> None:
    with pytest.raises(BadRequest, match="future"):
        require_future(due, NOW)
