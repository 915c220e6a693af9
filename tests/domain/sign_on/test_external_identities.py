"""Names of people at a provider."""

import pytest

from chatcore.domain.sign_on.external_identities import MAX_SUBJECT_LENGTH, ExternalIdentity


@pytest.mark.parametrize(
    ("subject", "counts"),
    [
        ("", False),
        ("1", True),
        ("ä" * MAX_SUBJECT_LENGTH, True),
        ("a" * (MAX_SUBJECT_LENGTH + 1), False),
        ("a\0b", False),
        ("\ud800", False),
    ],
)
def test_a_subject_is_one_that_can_be_stored(subject: str, counts: bool) -> None:
    assert ExternalIdentity(provider="work", subject=subject).has_subject is counts
