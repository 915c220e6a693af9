"""Reads what events do not hold, as it is now, for those who are told of it (`docs/decisions/0024`)."""

from collections import defaultdict
from collections.abc import Hashable, Iterable

from chatcore.application.file_links import newest_links
from chatcore.application.whole_lists import TOLD
from chatcore.domain.groups import Actor
from chatcore.domain.ids import AttachmentId, UserId
from chatcore.events import types as happened
from chatcore.events.audience import Users
from chatcore.events.queue import Capabilities, Registration
from chatcore.events.wire import WireEvent
from chatcore.events.wire_now import Now, WholeList
from chatcore.storage import Snapshot


class TellingNow:
    """For some events, and one listener after another; what several are told alike is read once."""

    def __init__(self, snapshot: Snapshot, events: Iterable[WireEvent]) -> None:
        self._snapshot = snapshot
        self._types: defaultdict[UserId | None, set[str]] = defaultdict(set)
        self._files: defaultdict[UserId, set[AttachmentId]] = defaultdict(set)
        self._lists: dict[tuple[str, Hashable], WholeList] = {}
        for one in events:
            to = one.audience.user_ids if isinstance(one.audience, Users) else (None,)
            for user_id in to:
                if isinstance(one.event, happened.ListChanged):
                    self._types[user_id].add(one.event.type)
                elif isinstance(one.event, happened.FilesChanged) and user_id is not None:
                    self._files[user_id].update(file.id for file in one.event.files)

    def to(self, actor: Actor, registration: Registration) -> Now:
        types = filter(registration.wants, {*self._types[None], *self._types[actor.user_id]})
        client = registration.capabilities
        lists = {event_type: self._list(event_type, actor, client) for event_type in types}
        wanted = self._files[actor.user_id] if registration.wants(happened.FilesChanged.type) else ()
        if not wanted:
            return Now(lists)
        return Now(lists, newest_links(self._snapshot, actor, wanted))

    def _list(self, event_type: str, actor: Actor, client: Capabilities) -> WholeList:
        telling = TOLD[event_type]
        key = (event_type, telling.same_for(actor, client))
        if key not in self._lists:
            self._lists[key] = WholeList(telling.fields(self._snapshot, actor, client))
        return self._lists[key]
