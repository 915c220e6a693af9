"""The composition root: from a URL or settings to an organization that is served or embedded."""

import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from chatcore.application.archives.one_person import delete_outdated
from chatcore.application.bots.calling import BotCaller
from chatcore.application.delivery.card_fetching import CardFetcher
from chatcore.application.due import read_due
from chatcore.application.events.hub import EventHub
from chatcore.application.events.restores import begin_anew_if_restored
from chatcore.application.files.thumbnails import make_due
from chatcore.application.files.upkeep import drop_unused
from chatcore.application.organization.audit import forget_old_entries
from chatcore.application.organization.founding import NewOrganization, initialize, is_initialized
from chatcore.application.push.sending import PushSender
from chatcore.application.retention.deleting import delete_due
from chatcore.application.scheduled.delivery import deliver_due
from chatcore.application.sent_mail.digests import write_digests
from chatcore.application.sent_mail.gathering import gather_missed
from chatcore.application.sent_mail.sending import send_due
from chatcore.application.services import Services
from chatcore.application.units import find_organization
from chatcore.data_folder import IN_MEMORY, data_dir, secret_for
from chatcore.domain.limits import Limits
from chatcore.domain.organization.organization import Organization
from chatcore.runtime.cards import Cards
from chatcore.runtime.foreign_pictures import ForeignPictures
from chatcore.runtime.formulas import formulas_of_process
from chatcore.runtime.openid.services import LoginServices
from chatcore.runtime.rate_limits import RateLimits
from chatcore.runtime.work import RunBlocking, Work, run_here
from chatcore.settings import BadSetting, Settings, describe_database
from chatcore.sites import Sites
from chatcore.storage import Storage, StorageNotReady, Store
from chatcore.storage.backends import backend_for
from chatcore.storage.files import FileStore
from chatcore.storage.slices import WaitForSocket
from storage_backends import FilesInMemory, LocalFiles, open_bucket, open_storage
from storage_backends import find_problem_of_copy as find_problem_of_copy

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    from chatcore.chat import Chat

UPLOADS_DIR = "uploads"
OWN_SCHEMES = frozenset({"sqlite", "postgresql", "postgres"})
OWNER_IN_MEMORY = "owner@example.com"


def open_chat(
    url: str = IN_MEMORY,
    *,
    organization: str = "Chat",
    owner_email: str | None = None,
    owner_name: str = "Owner",
    first_messages: bool = True,
    settings: Settings | None = None,
    clock: Callable[[], float] = time.time,  # noqa: TID251 - this is where the clock comes from
    monotonic: Callable[[], float] = time.monotonic,
) -> "Chat":
    """Open the organization in the database at *url*.

    With *owner_email*, a database without an organization gets one with this owner; a store in memory always
    gets one. A new organization begins with a default channel and messages there, unless *first_messages* is
    False.

    :raises StorageNotReady: the database has no organization, and no owner is given to create one; or it
        cannot be reached, or is newer than this program
    :raises BadDatabaseUrl: *url* is not the URL of a database
    :raises BadSetting: the organization was created with another secret
    :raises BadRequest: an invalid address or name of the owner
    """
    from chatcore.chat import Chat  # servers do without

    given = replace(settings or Settings(url_is_a_guess=True), database_url=url)
    if owner_email is None and url == IN_MEMORY:
        owner_email = OWNER_IN_MEMORY
    if owner_email is None and not store_at(url).exists():
        raise StorageNotReady(f"{url} does not exist; create it with 'chatcore init', or pass owner_email")
    new = None
    if owner_email is not None:
        new = NewOrganization(
            name=organization, owner_email=owner_email, owner_name=owner_name, first_messages=first_messages
        )
        new = new.as_stored(given.host, Limits())  # refuses wrong values before any file is created
    services = open_services(
        given, migrate=True, may_be_empty=new is not None, clock=clock, monotonic=monotonic
    )
    try:
        if new is not None and not is_initialized(services):
            initialize(services, new)
    except BaseException:
        services.storage.close()
        raise
    return Chat(services, make_application)


def restore_chat(
    url: str,
    file: Path | str,
    *,
    settings: Settings | None = None,
    progress: Callable[[str, int], object] = lambda step, messages: None,
) -> "Chat":
    """Restore an organization from an archive into an empty database, all or nothing, and open it.

    Restore only archives of servers that you trust. *progress* is called with a step, `verify` or `restore`,
    and the number of messages.

    :raises BadArchive: damaged, of another kind, or of a newer program
    :raises BadRequest: the database has an organization already
    :raises StorageNotReady, BadDatabaseUrl: as `open_chat` does
    """
    from chatcore.application.archives.restoring import restore_archive  # rarely used
    from chatcore.chat import Chat

    services = open_services(
        replace(settings or Settings(), database_url=url), migrate=True, may_be_empty=True
    )
    try:
        restore_archive(services, Path(file), progress=progress)
    except BaseException:
        services.storage.close()
        raise
    return Chat(services, make_application)


def make_services(
    settings: Settings,
    storage: Storage,
    *,
    clock: Callable[[], float] = time.time,  # noqa: TID251 - this is where the clock comes from
    monotonic: Callable[[], float] = time.monotonic,
    limits: Limits | None = None,
    run_blocking: RunBlocking = run_here,
) -> Services:
    """Make the services of one organization. For a store without an organization, create a secret first.

    :raises BadSetting: the organization was created with another secret
    """
    require_extras(settings)
    limits = limits or Limits(**settings.limits)
    organization = find_organization(storage)
    settings = replace(settings, secret_key=secret_for(settings, organization))
    hub = EventHub(storage, clock, limits, settings, monotonic)
    services = Services(
        storage=storage,
        settings=settings,
        clock=clock,
        monotonic=monotonic,
        hub=hub,
        rate_limits=RateLimits(
            clock,
            settings.rate_limit_rules,
            is_on=settings.rate_limits,
            storage=None if settings.database_url.startswith("sqlite:") else storage,
        ),
        limits=limits,
        run_blocking=run_blocking,
        formulas=formulas_of_process(),
        cards=Cards(monotonic),
        foreign_pictures=ForeignPictures(monotonic),
        login_services=LoginServices(settings.oidc, monotonic),
        files=open_files(settings),
    )
    services.hub.chores += [lambda: drop_unused(services), lambda: delete_outdated(services)]
    set_alarms(services)
    hub.quiet_log = services.rate_limits.quiet_log = services.alarms.quiet_log
    return services


def require_extras(settings: Settings) -> None:
    """Check that the libraries are installed that the settings need.

    :raises BadSetting: one is not
    """
    if settings.oidc and not all(map(find_spec, ("authlib", "joserfc"))):
        raise BadSetting("oidc needs libraries; run in the folder of this project: pip install '.[oidc]'")
    if settings.scim_token and find_spec("scim2_models") is None:
        raise BadSetting(
            "scim_token needs a library; run in the folder of this project: pip install '.[scim]'"
        )


def set_alarms(services: Services) -> None:
    """Set the tasks of the services' alarms."""
    alarms = services.alarms
    alarms.scheduled.task = lambda: deliver_due(services)
    if services.settings.sends_mail:
        alarms.mail.task = lambda: send_due(services)
        alarms.missed.task = lambda: gather_missed(services)
        alarms.digests.task = lambda: write_digests(services)
    if services.sends_pushes:
        alarms.push.task = PushSender(services).run
    alarms.bots.task = BotCaller(services).run
    alarms.exports.task = lambda: write_exports(services)
    alarms.thumbnails.task = lambda: make_due(services)
    alarms.cards.task = CardFetcher(services).run
    alarms.audit.task = lambda: forget_old_entries(services)
    alarms.retention.task = lambda: delete_old_messages(services)
    alarms.erasures.task = lambda: continue_erasures(services)


def write_exports(services: Services) -> float:
    """Write the exports that wait; return the seconds until the next one: infinity, as none is planned."""
    if not read_due(services, lambda snapshot: snapshot.exports.pending()):
        return inf
    from chatcore.application.archives.working import write_requested  # rarely used

    return write_requested(services)


def delete_old_messages(services: Services) -> float:
    """Delete messages that are due; return the seconds until the next look: infinity, as it is regular."""
    delete_due(services)
    return inf


def continue_erasures(services: Services) -> float:
    """Go on with the erasures of people; return the seconds until there is more to do."""
    if not read_due(services, lambda snapshot: snapshot.erasures.unfinished()):
        return inf
    from chatcore.application.erasure import steps  # rarely used

    return steps.continue_erasures(services)


def open_files(settings: Settings) -> FileStore:
    """Open the store of uploaded files: a bucket, or a folder beside the secret; memory for an organization
    in memory.

    :raises BadSetting: a bucket, whose client is not installed or refuses its own settings
    """
    if settings.data_dir is None and settings.database_url == IN_MEMORY:
        return FilesInMemory()
    on_disk = LocalFiles(data_dir(settings) / UPLOADS_DIR)
    if not settings.uploads_url:
        return on_disk
    try:
        return open_bucket(settings.uploads_url, on_disk)
    except ModuleNotFoundError as error:
        if error.name != "botocore":
            raise
        raise BadSetting(
            "uploads_url needs a client of S3; run in the folder of this project: pip install '.[s3]'"
        ) from error
    except ValueError as error:
        raise BadSetting(f"the client of uploads_url: {error}") from error


def files_in(folder: Path) -> FileStore:
    """Return the store of files in a folder of a local disk, which errors name."""
    return LocalFiles(folder, f"{folder}")


def make_application(services: Services) -> "WSGIApplication":
    """Make the WSGI application of one organization, which answers for every host."""
    return Sites(services.settings, elsewhere=services).application()


def store_at(
    url: str,
    run_commit: Callable[[Callable[[], object]], object] | None = None,
    wait_for_socket: WaitForSocket | None = None,
    read_url: str = "",
) -> Store:
    """Return the store at *url*, which need not exist yet: one of our own, or that of an installed package
    for the scheme of the URL. A server of greenlets passes *run_commit* and *wait_for_socket*; *read_url* is
    that of a replica.

    :raises BadDatabaseUrl: no package opens such a URL; *read_url* for a store that has no replicas
    """
    scheme, _, rest = str(url).partition(":")
    is_foreign = bool(rest) and scheme not in OWN_SCHEMES
    backend = backend_for(scheme) if is_foreign and not read_url else None
    return open_storage(url, run_commit, wait_for_socket, read_url) if backend is None else backend(url)


def open_store(
    settings: Settings,
    *,
    migrate: bool = False,
    may_be_empty: bool = False,
    run_blocking: RunBlocking = run_here,
    wait_for_socket: WaitForSocket | None = None,
) -> Store:
    """Open the database of a server, and migrate it or only check it.

    :raises StorageNotReady: the database cannot be reached or is newer; without *migrate*, also when it is
        older; unless it *may be empty* and is migrated, also when it is not there or has no tables
    :raises BadDatabaseUrl: the setting is not the URL of a database
    """
    run_commit = None if run_blocking is run_here else partial(run_blocking, kind=Work.COMMITS)
    storage = store_at(settings.database_url, run_commit, wait_for_socket, settings.read_database_url)
    try:
        if not migrate:
            storage.check()
        elif may_be_empty or storage.pending():
            storage.migrate()
    except BaseException:
        storage.close()
        raise
    return storage


def open_services(
    settings: Settings,
    *,
    migrate: bool = False,
    may_be_empty: bool = False,
    clock: Callable[[], float] = time.time,  # noqa: TID251 - this is where the clock comes from
    monotonic: Callable[[], float] = time.monotonic,
    run_blocking: RunBlocking = run_here,
    wait_for_socket: WaitForSocket | None = None,
) -> Services:
    """Open the services for the settings of a server.

    :raises StorageNotReady: as `open_store` does; without *may_be_empty*, also when it has no organization
    :raises BadDatabaseUrl: as `open_store` does
    :raises BadSetting: the organization was created with another secret
    """
    storage = open_store(
        settings,
        migrate=migrate,
        may_be_empty=may_be_empty,
        run_blocking=run_blocking,
        wait_for_socket=wait_for_socket,
    )
    try:
        if not may_be_empty:
            require_organization(settings, storage)
        begin_anew_if_restored(storage)
        return make_services(settings, storage, clock=clock, monotonic=monotonic, run_blocking=run_blocking)
    except BaseException:
        storage.close()
        raise


def require_organization(settings: Settings, storage: Storage) -> Organization:
    """Return the organization in the database of the settings.

    :raises StorageNotReady: there is none yet
    """
    organization = find_organization(storage)
    if organization is None:
        where = describe_database(settings.database_url)
        raise StorageNotReady(f"there is no organization yet: {where}; create one with 'chatcore init'")
    return organization


def open_sites(
    settings: Settings,
    *,
    migrate: bool = False,
    strict: bool = False,
    prepare: Callable[[Settings], object] = lambda settings: None,
    run_blocking: RunBlocking = run_here,
    wait_for_socket: WaitForSocket | None = None,
) -> Sites:
    """Open the organizations of a server: several, each at its host, or a single one at every host.

    Of several, one that cannot be opened is tried again later, unless the server is *strict*. *prepare* is
    called with the settings of each before it is opened, and may raise.

    :raises StorageNotReady, BadDatabaseUrl: as `open_services` does, for a single one or if *strict*
    :raises BadSetting: likewise; an organization was created with another secret, or two have the same secret
    """
    keep_remarks_out_of_the_log()

    def open_one(organization: Settings) -> Services:
        prepare(organization)
        return open_services(
            organization, migrate=migrate, run_blocking=run_blocking, wait_for_socket=wait_for_socket
        )

    if not settings.organizations:
        return Sites(settings, elsewhere=open_one(settings))
    sites = Sites(settings, open_one=open_one, strict=strict)
    try:
        for organization in settings.organizations:
            sites.open(organization)
    except BaseException:
        sites.close()
        raise
    return sites


def keep_remarks_out_of_the_log() -> None:
    """Silence remarks of picture decoders about files of strangers in a server's log."""
    warnings.filterwarnings("ignore", module=r"PIL\.")
