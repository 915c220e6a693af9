"""An organization as an object in another Python program: `chat.messages.send(actor, …)`.

Each method calls one use case of `chatcore.application` with the organization's services.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from chatcore.application.archives.to_file import Exported, export_to_file
from chatcore.application.organization import founding
from chatcore.application.organization.server_settings import server_settings
from chatcore.application.services import Services
from chatcore.chat.bots import Bots
from chatcore.chat.channels import Channels, Topics
from chatcore.chat.configuration import Domains, Organization, ProfileFields
from chatcore.chat.events import Events
from chatcore.chat.exports import Exports
from chatcore.chat.files import Files
from chatcore.chat.folders import DefaultChannelGroups
from chatcore.chat.given import user_id_of
from chatcore.chat.groups import Groups
from chatcore.chat.invitations import Invitations
from chatcore.chat.made.bot_storage import BotStorage
from chatcore.chat.made.configuration import Emoji, Linkifiers, OrganizationPictures, Playgrounds
from chatcore.chat.made.drafts import Drafts
from chatcore.chat.made.folders import ChannelFolders, NavigationViews
from chatcore.chat.made.invitations import Mail
from chatcore.chat.made.messages import Reactions, Submessages
from chatcore.chat.made.profiles import AlertWords, Pictures, Profiles
from chatcore.chat.made.retention import LegalHolds, Retention
from chatcore.chat.made.saved_snippets import SavedSnippets
from chatcore.chat.messages import Messages
from chatcore.chat.presence import Presence, Typing
from chatcore.chat.profiles import Settings, Statuses
from chatcore.chat.scheduled import Reminders, ScheduledMessages
from chatcore.chat.users import Users
from chatcore.domain.groups.actors import Actor

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    from chatcore.http.asgi import AsgiApplication

P = ParamSpec("P")
T = TypeVar("T")


class Chat:
    """One organization. Close it when the program ends, or use it in a `with` statement."""

    def __init__(self, services: Services, make_application: "Callable[[Services], WSGIApplication]") -> None:
        self.services = services
        self._make_application = make_application
        self.users = Users(services)
        self.invitations = Invitations(services)
        self.mail = Mail(services)
        self.profiles = Profiles(services)
        self.pictures = Pictures(services)
        self.statuses = Statuses(services)
        self.settings = Settings(services)
        self.alert_words = AlertWords(services)
        self.presence = Presence(services)
        self.typing = Typing(services)
        self.groups = Groups(services)
        self.channels = Channels(services)
        self.channel_folders = ChannelFolders(services)
        self.default_channel_groups = DefaultChannelGroups(services)
        self.navigation_views = NavigationViews(services)
        self.topics = Topics(services)
        self.messages = Messages(services)
        self.reactions = Reactions(services)
        self.submessages = Submessages(services)
        self.drafts = Drafts(services)
        self.saved_snippets = SavedSnippets(services)
        self.scheduled_messages = ScheduledMessages(services)
        self.reminders = Reminders(services)
        self.bots = Bots(services)
        self.bot_storage = BotStorage(services)
        self.files = Files(services)
        self.events = Events(services)
        self.organization = Organization(services)
        self.organization_pictures = OrganizationPictures(services)
        self.domains = Domains(services)
        self.profile_fields = ProfileFields(services)
        self.linkifiers = Linkifiers(services)
        self.playgrounds = Playgrounds(services)
        self.emoji = Emoji(services)
        self.exports = Exports(services)
        self.retention = Retention(services)
        self.legal_holds = LegalHolds(services)

    def application(self) -> "WSGIApplication":
        """Return the HTTP API as a WSGI application, to be served or mounted under a prefix.

        From then on, scheduled messages are delivered on time, and bots answer.
        """
        self.deliver_on_time()
        return self._make_application(self.services)

    def asgi(self) -> "AsgiApplication":
        """Return the HTTP API as an ASGI application, to be served or mounted under a prefix.

        Clients that wait for events take no threads; other requests run in a few threads. As `application`
        does, it delivers scheduled messages on time.
        """
        from chatcore.http.asgi import AsgiApplication  # programs without asyncio do without

        return AsgiApplication(self.application())

    async def in_thread(self, method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a method in a thread, from a coroutine: ``await chat.in_thread(chat.messages.get, ada, 7)``.

        To wait for events, use `events.follow_async`, which takes no thread.
        """
        return await asyncio.to_thread(method, *args, **kwargs)

    def deliver_on_time(self) -> None:
        """Do what is due in threads of this process, until `close`: deliver scheduled messages, reminders and
        mails, let bots answer, make thumbnails and cards of links, write requested exports, delete messages
        that are too old.

        What was due before is done at once. A program that does not call this method can call
        `scheduled_messages.deliver_due`, `bots.answer_due` and `retention.delete_due` from time to time.
        """
        self.services.alarms.start()

    def server_settings(self) -> dict[str, object]:
        """Return the settings that a client needs before login."""
        return server_settings(self.services)

    def allow_public_access(self, *, allowed: bool = True) -> None:
        """Allow callers without an account to read web-public channels, or forbid it."""
        founding.allow_public_access(self.services, allowed=allowed)

    def export(
        self,
        file: Path | str,
        *,
        person: int | Actor | None = None,
        progress: Callable[[int], object] = lambda messages: None,
    ) -> Exported:
        """Write the whole organization to a new file, an archive, which only its owner can read; a failed
        export leaves no file. `restore_chat` restores it. *progress* is called with the number of messages.

        :param person: whose data alone is written, for the person; nothing restores such an archive
        :raises FileExistsError: the file exists
        :raises OSError: it cannot be written
        :raises BadRequest: no such person
        """
        whose = None if person is None else user_id_of(person=person)
        return export_to_file(self.services, Path(file), person=whose, progress=progress)

    def close(self) -> None:
        """End the iterators of `follow`, refuse all other calls with `StorageClosed`, and close the store.

        It waits some seconds at most for reads and writes of other threads.
        """
        self.services.alarms.stop()
        self.services.hub.stop()
        self.services.storage.close()

    def __enter__(self) -> "Chat":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
