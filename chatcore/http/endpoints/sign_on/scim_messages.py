"""Messages of SCIM (RFC 7644): how they are read, and what is too much in them.

It needs the extra `scim`, whose libraries load with this module.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import scim2_models as scim
from pydantic import ValidationError

from chatcore.domain.sign_on.provisioning import MAX_OPERATIONS, Unfit

MAX_VALUES: Final = 150
"""All operations of a message about a person, with the addresses and roles in them."""
MAX_TEXT: Final = 1000
POLICY: Final = scim.ScimPolicy(
    unknown=scim.ScimPolicy.Unknown.ignore,
    remove_value_as_filter=scim.ScimPolicy.RemoveValue.apply,
    unmatched_path_filter=scim.ScimPolicy.UnmatchedPathFilter.create,
)
"""The forms that login services send beside those of the RFC."""

R = TypeVar("R", bound=scim.Resource[Any])


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what the library raises into refusals.

    :raises Unfit:
    """
    try:
        with POLICY:
            yield
    except (scim.SCIMException, ValidationError) as error:
        cause = error.__cause__ if isinstance(error.__cause__, ValidationError) else error
        if isinstance(cause, scim.SCIMException):
            raise Unfit(cause.detail, cause.scim_type or None) from None
        first = scim.Error.from_validation_errors(cause)[0]
        raise Unfit(first.detail or "This cannot be understood.", first.scim_type) from None
    except RecursionError:
        raise Unfit("This is nested too deep.", "invalidSyntax") from None


def require_few_values(content: object) -> None:
    """Refuse long lists of values of a person: each operation goes through all of them."""
    left, count = [content], 0
    while left:
        item = left.pop()
        parts = list(item.values()) if isinstance(item, dict) else item if isinstance(item, list) else []
        count += len(parts) if isinstance(item, list) else 0
        left += parts
    if count > MAX_VALUES:
        raise scim.InvalidValueException(detail=f"Operations and their values are {MAX_VALUES} at most.")


def read_patch(message: type[scim.PatchOp[R]], content: object) -> scim.PatchOp[R]:
    """Read operations, unless there are too many or their paths are too long, which would take seconds."""
    for name, operations in content.items() if isinstance(content, dict) else ():
        if name.lower() != "operations" or not isinstance(operations, list):
            continue
        if len(operations) > MAX_OPERATIONS:
            raise scim.InvalidValueException(detail=f"A message has {MAX_OPERATIONS} operations at most.")
        texts = [text for one in operations if isinstance(one, dict) for text in one.values()]
        if any(isinstance(text, str) and len(text) > MAX_TEXT for text in texts):
            raise scim.InvalidValueException(detail=f"A path or text has {MAX_TEXT} characters at most.")
    return message.model_validate(content, scim_ctx=scim.Context.RESOURCE_PATCH_REQUEST)
