"""Descriptions of the arguments of use cases, in their signatures, besides the types.

The parameters of endpoints are made from them: `title: Annotated[str, about("The title.")]`.
"""

from collections.abc import Mapping
from typing import Annotated, Final, TypeAlias

import msgspec

Id: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]

OF_REQUEST: Final = object()
"""Marks an argument that endpoints take from a request beside its parameters, and methods of `Chat` omit."""
NetworkAddress: TypeAlias = Annotated[str, OF_REQUEST]
"""The address from which a request came; empty if there is none."""
OrganizationUrl: TypeAlias = Annotated[str | None, OF_REQUEST]
"""The organization's URL by which a client has connected; None: that of the settings."""
SessionToken: TypeAlias = Annotated[str, OF_REQUEST]
"""The token of the session in which a request came; empty if there is none."""


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
