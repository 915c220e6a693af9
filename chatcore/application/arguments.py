"""Descriptions of the arguments of use cases, in their signatures, besides the types.

The parameters of endpoints are made from them: `title: Annotated[str, about("The title.")]`.
"""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec

Id: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]


def also(*names: str) -> msgspec.Meta:
    """Declare other names of a parameter, in an annotation; sending two of them is an error."""
    return msgspec.Meta(extra={"also": names})


def ignored_where(field: str, *values: str) -> msgspec.Meta:
    """Declare that a parameter is ignored if an earlier field has one of these values."""
    return msgspec.Meta(extra={"ignored_where": (field, frozenset(values))})


def about(
    description: str,
    *values: str | int,
    schema: Mapping[str, object] | None = None,
    required: bool = False,
) -> msgspec.Meta:
    """Describe a parameter for the documentation; *values* are the permitted values.

    *schema* replaces the schema of the type, if that says too little. *required* marks a parameter that has a
    default here, but that the endpoint requires.
    """
    extras = {**({"schema": schema} if schema else {}), **({"required": True} if required else {})}
    return msgspec.Meta(
        description=description,
        extra_json_schema={"enum": list(values)} if values else None,
        extra=extras or None,
    )


ChannelNumber: TypeAlias = Annotated[int, about("The channel's id.")]
UserNumber: TypeAlias = Annotated[int, about("The user's id.")]
SeenContent: TypeAlias = Annotated[
    str | None, about("SHA-256 of the text that the client has seen, in hexadecimal digits.")
]
