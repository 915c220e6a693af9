"""A queue and its owner, for whom events are formatted."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from chatcore.domain.files.foreign_media import ForeignMedia
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId, QueueId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.events.payloads.bots import NO_KEY
from chatcore.events.payloads.users import Person, unknown_person
from chatcore.events.queue import Capabilities, Registration
from chatcore.events.sending.late import LateData

Knows = Callable[[UserId], bool]
"""Whether a user is visible to the owner of a queue."""


@dataclass(frozen=True, slots=True)
class Listener:
    """A queue and its owner."""

    queue_id: QueueId
    actor: Actor
    registration: Registration
    empty_topic_name: str
    """The display name of the empty topic, for clients without the capability `empty_topic_name`."""
    media: ForeignMedia
    """The rule for pictures of other sites in what the owner gets."""
    host: str
    """The host name of placeholder addresses."""
    api_key: Callable[[UserId, int], str]
    """Returns the API key of a user for a key version; payloads have it from `key_of`."""
    knows: Knows | None = None
    """Returns whether a user is visible to the owner; None if all users are."""
    flags: Mapping[MessageId, Flag] = field(default_factory=dict)
    """The owner's flags of edited messages, as far as these are in the owner's history."""
    read_on_arrival: Collection[MessageId] = ()
    """Messages that are read for the owner on arrival, although the flags in their events do not say so."""
    late: LateData = field(default_factory=LateData)
    """The late fields: data of the time of sending, which events do not contain."""
    knew: frozenset[UserId] = frozenset()
    """Users who were visible to the owner when the event happened, and are out of sight since."""
    receives: bool = True
    """Whether the owner is in the audience; False for events that only `all_public_streams` brings."""

    @property
    def capabilities(self) -> Capabilities:
        return self.registration.capabilities

    def key_of(self, bot_id: UserId, key_version: int) -> str:
        """Return the key of a bot of the owner, as far as the client may have keys."""
        return self.api_key(bot_id, key_version) if self.registration.has_keys else NO_KEY

    def overhearing(self) -> "Listener":
        """Return this listener for events that it receives only by `all_public_streams`."""
        return replace(self, receives=False)

    def having_known(self, user_ids: Iterable[UserId]) -> "Listener":
        """Return this listener for an event of a time when these users were visible to the owner."""
        return replace(self, knew=frozenset(user_ids))

    def sees(self, user_id: UserId) -> bool:
        """Whether a user is visible to the owner."""
        return self.knows is None or self.knows(user_id)

    def show_person(self, who: Person) -> Person:
        """Return a person as the owner may see them; all bots are visible."""
        return who if who.is_bot or self.sees(who.id) else unknown_person(who.id, self.host)

    def show_topic(self, topic: str) -> str:
        """Return the name by which the client knows the topic."""
        if topic or self.capabilities.empty_topic_name:
            return topic
        return self.empty_topic_name
