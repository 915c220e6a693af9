"""Accounts of an organization that is embedded in another program."""

import pytest

from chatcore import open_chat
from chatcore.domain.errors import BadRequest, InsufficientRole


def test_a_program_takes_accounts_out_of_use_and_brings_them_back() -> None:
    with open_chat() as chat:
        owner = chat.users.actor("owner@example.com")
        ada = chat.users.create("ada@example.com", "Ada")
        with pytest.raises(InsufficientRole):
            chat.users.deactivate(ada, owner.user_id)
        chat.users.deactivate(owner, ada.user_id)
        with pytest.raises(BadRequest):
            chat.users.actor("ada@example.com")
        chat.users.reactivate(owner, ada.user_id)
        assert chat.users.actor("ada@example.com").user_id == ada.user_id
