"""Types of events as clients receive them: a dictionary with known keys for each type and operation.

A type checker narrows an `Event` by its `type` and, if there are several operations, its `op`. Names of
events end in `Event`, names of what they contain in `Object`; all of them can be imported from `chatcore`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, get_args, get_type_hints

from chatcore.events.forms import channels, messages, organization, people
from chatcore.events.forms.channels import *  # noqa: F403 - the modules name their types
from chatcore.events.forms.messages import *  # noqa: F403
from chatcore.events.forms.organization import *  # noqa: F403
from chatcore.events.forms.people import *  # noqa: F403

__all__ = ["Event"]
__all__ += channels.__all__
__all__ += messages.__all__
__all__ += organization.__all__
__all__ += people.__all__

Event: TypeAlias = (
    channels.AnyChannelForm
    | messages.AnyMessageForm
    | organization.AnyOrganizationForm
    | people.AnyPersonForm
)
"""Any event that a client can receive."""

Name: TypeAlias = tuple[str, str | None]
"""A type and an operation of events; None if the type has no operations."""


def names_of(form: type[Any]) -> Iterator[Name]:
    """Return the types and operations of the events that have this form."""
    hints = get_type_hints(form)
    for event_type in get_args(hints["type"]):
        for op in get_args(hints.get("op")) or (None,):
            yield event_type, op


FORMS: Mapping[Name, type[Any]] = {name: form for form in get_args(Event) for name in names_of(form)}
"""The form of each type and operation of events."""
