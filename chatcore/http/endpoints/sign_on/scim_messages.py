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
"""All items in the lists of a message about a person: operations, addresses, roles. Each operation goes
through all values.
"""
MAX_TEXT: Final = 1000
"""Characters of a path or a text, also of the name of an attribute, which may be a path."""
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


def require_small(content: object, *, most: int | None = None) -> None:
    """Refuse what the library would take seconds to understand, before it begins.

    :raises Unfit: a text or name is too long, there are too many operations, or more than *most* items in all
        lists
    """
    left, items = [content], 0
    while left:
        part = left.pop()
        if isinstance(part, str) and len(part) > MAX_TEXT:
            raise Unfit(f"A path or text has {MAX_TEXT} characters at most.", "invalidValue")
        if isinstance(part, dict):
            left += [*part, *part.values()]
            operations = [value for name, value in part.items() if name.lower() == "operations"]
            if any(isinstance(value, list) and len(value) > MAX_OPERATIONS for value in operations):
                raise Unfit(f"A message has {MAX_OPERATIONS} operations at most.", "invalidValue")
        elif isinstance(part, list):
            left += part
            items += len(part)
    if most is not None and items > most:
        raise Unfit(f"Operations and their values are {most} at most.", "invalidValue")


def read_patch(message: type[scim.PatchOp[R]], content: object) -> scim.PatchOp[R]:
    return message.model_validate(content, scim_ctx=scim.Context.RESOURCE_PATCH_REQUEST)
