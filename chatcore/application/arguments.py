"""Descriptions of the arguments of use cases, in their signatures, besides the types.

The parameters of endpoints are made from them: `title: Annotated[str, about("The title.")]`.
"""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec

Id: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]


def about(description: str, *values: str | int, schema: Mapping[str, object] | None = None) -> msgspec.Meta:
    """Describe a parameter for the documentation; *values* are the permitted values.

    *schema* replaces the schema of the type, if that says too little.
    """
    return msgspec.Meta(
        description=description,
        extra_json_schema={"enum": list(values)} if values else None,
        extra={"schema": schema} if schema else None,
    )


ChannelNumber: TypeAlias = Annotated[int, about("The channel's id.")]
UserNumber: TypeAlias = Annotated[int, about("The user's id.")]
SeenContent: TypeAlias = Annotated[
    str | None, about("SHA-256 of the text that the client has seen, in hexadecimal digits.")
]
