"""Listeners made of queues and their owners."""

from collections.abc import Collection, Mapping
from functools import partial

from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.api_keys import derive_api_key
from chatcore.events.queue import Queue
from chatcore.events.sending import NOTHING_LATE, LateData, Listener
from chatcore.events.sending.listener import Knows
from chatcore.settings import Settings


def listener_of(
    queue: Queue,
    owner: Actor,
    organization: Organization,
    settings: Settings,
    knows: Knows | None,
    *,
    flags: Mapping[MessageId, Flag] = {},
    read_on_arrival: Collection[MessageId] = (),
    late: LateData = NOTHING_LATE,
) -> Listener:
    """Return the listener for a queue; *flags*, *read_on_arrival* and *late* are what its events need of the
    owner.
    """
    return Listener(
        queue_id=queue.id,
        actor=owner,
        registration=queue.registration,
        empty_topic_name=organization.empty_topic_display_name,
        media=settings.foreign_media,
        host=settings.host,
        api_key=partial(derive_api_key, settings.secret_key),
        knows=knows,
        flags=flags,
        read_on_arrival=read_on_arrival,
        late=late,
    )
