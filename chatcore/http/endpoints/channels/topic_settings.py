"""The endpoint for a user's policy for a topic: muted, unmuted or followed."""

from typing import Annotated

import msgspec

from chatcore.application.channels import topic_settings
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params, Text, about
from chatcore.http.routing import Done


class PolicyParams(Params, kw_only=True, frozen=True):
    stream_id: Annotated[int, about("The channel's id.")]
    topic: Annotated[Text, about("The topic.")]
    visibility_policy: Annotated[
        int,
        msgspec.Meta(
            description="0 none, 1 muted, 2 unmuted, 3 followed.", extra_json_schema={"enum": [0, 1, 2, 3]}
        ),
    ]


def set_policy(svc: Services, caller: Caller, p: PolicyParams) -> Done:
    """Mute, unmute or follow a topic, or undo that."""
    topic_settings.set_visibility_policy(svc, caller.user, p.stream_id, p.topic, p.visibility_policy)
    return Done()
