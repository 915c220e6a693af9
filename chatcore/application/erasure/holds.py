"""Holds on the data of people, which keep it from being erased."""

from chatcore.application.units import View
from chatcore.domain.ids import UserId


def is_held(view: View, user_id: UserId) -> bool:
    """Whether the data of a person is held: then nothing of it may be erased. There are no holds yet; every
    erasure asks here.
    """
    return False
