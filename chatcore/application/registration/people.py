"""Initial state: users, the caller's account, bots, presences, muted users and user groups."""

from collections.abc import Mapping
from dataclasses import asdict

import msgspec

from chatcore.application.people.logins import api_key
from chatcore.application.people.muted_users import muted_user_objects
from chatcore.application.people.welcome import step_objects
from chatcore.application.registration.accounts import list_accounts
from chatcore.application.registration.fetch import Fetch
from chatcore.application.units import View
from chatcore.application.visibility.groups import group_shapes
from chatcore.application.visibility.presences import Presences, WantedPresences, visible_presences
from chatcore.application.visibility.users import user_shape_for
from chatcore.domain.bots.embedded import EMBEDDED_BOTS
from chatcore.domain.bots.integrations import INTEGRATIONS
from chatcore.domain.bots.settings import BotSettings
from chatcore.domain.people.presence import NO_UPDATE
from chatcore.domain.people.users import User, manages_bot
from chatcore.domain.roles import Role
from chatcore.events.payloads.bots import NO_KEY, bot_details, bot_object
from chatcore.events.payloads.users import UserShape, avatar_url, person


class SystemBotShape(UserShape, kw_only=True, frozen=True):
    """A bot of the server itself."""

    is_system_bot: bool


def users(fetch: Fetch) -> dict[str, object]:
    """`realm_user`: everybody by account state, and the caller's own account field by field."""
    return {**_user_lists(fetch), **_own_account(fetch), **_own_rights(fetch)}


def _user_lists(fetch: Fetch) -> dict[str, object]:
    accounts = list_accounts(fetch)
    system_bots = [user for user in fetch.users if user.id == fetch.organization.notification_bot_id]
    return {
        "realm_users": accounts.active,
        "realm_non_active_users": accounts.inactive,
        "cross_realm_bots": [_system_bot_shape(fetch, bot) for bot in system_bots],
    }


def _system_bot_shape(fetch: Fetch, bot: User) -> SystemBotShape:
    shape = user_shape_for(bot, fetch.actor, fetch.host, client_gravatar=fetch.registration.client_gravatar)
    return SystemBotShape(**msgspec.structs.asdict(shape), is_system_bot=True)


def _own_account(fetch: Fetch) -> dict[str, object]:
    account = person(fetch.user, fetch.host)
    return {
        "user_id": account.id,
        "email": account.email if fetch.actor is None else account.api_email,
        "delivery_email": account.email,
        "full_name": account.full_name,
        "avatar_source": account.avatar_source,
        "avatar_url": avatar_url(account),
        "avatar_url_medium": avatar_url(account, medium=True),
        "is_owner": account.role == Role.OWNER,
        "is_admin": Role(account.role).is_administrator,
        "is_moderator": Role(account.role).is_moderator,
        "is_guest": account.role == Role.GUEST,
    }


def _own_rights(fetch: Fetch) -> dict[str, object]:
    organization, actor = fetch.organization, fetch.actor

    def permits(name: str) -> bool:
        return actor is not None and organization.permits(name, actor)

    public = permits("can_create_public_channel_group")
    private = permits("can_create_private_channel_group")
    web_public = permits("can_create_web_public_channel_group")
    return {
        "can_create_public_streams": public,
        "can_create_private_streams": private,
        "can_create_streams": public or private,
        "can_create_web_public_streams": web_public and organization.enable_spectator_access,
        "can_subscribe_other_users": permits("can_add_subscribers_group"),
        "can_invite_others_to_realm": permits("can_invite_users_group"),
    }


def bots(fetch: Fetch) -> dict[str, object]:
    """`realm_bot`: the bots that the caller manages; only the owner receives a key."""
    actor = fetch.actor
    assert actor is not None

    def key(bot: User) -> str:
        is_own = fetch.registration.has_keys and bot.bot_owner_id == actor.user_id
        return api_key(fetch.svc, bot.id, bot.key_version) if is_own else NO_KEY

    managed = [bot for bot in fetch.people if bot.is_bot and manages_bot(actor, bot)]
    stored = fetch.snapshot.bots.all()
    details = {bot.id: bot_details(stored.get(bot.id, BotSettings())) for bot in managed}
    return {"realm_bots": [bot_object(person(bot, fetch.host), key(bot), details[bot.id]) for bot in managed]}


def embedded_bots(fetch: Fetch) -> dict[str, object]:
    """`realm_embedded_bots`: the programs of the server that can be a bot."""
    return {"realm_embedded_bots": [{"name": name, "config": {}} for name in EMBEDDED_BOTS]}


def incoming_webhook_bots(fetch: Fetch) -> dict[str, object]:
    """`realm_incoming_webhook_bots`: the integrations by which other programs can send."""
    bots: list[dict[str, object]] = [
        {
            "name": name,
            "display_name": integration.display_name,
            "all_event_types": None,
            "config_options": [],
            "url_options": [],
        }
        for name, integration in INTEGRATIONS.items()
    ]
    return {"realm_incoming_webhook_bots": bots}


def user_groups(fetch: Fetch) -> dict[str, object]:
    """`realm_user_groups`: the groups, in the order of their ids, with the direct members whom the caller may
    know of; deactivated groups only for clients with `include_deactivated_groups`.
    """
    groups = group_shapes(
        fetch.snapshot,
        include_deactivated=fetch.registration.capabilities.include_deactivated_groups,
        now=fetch.now,
        hidden=fetch.unseen,
    )
    return {"realm_user_groups": groups}


def presence(fetch: Fetch) -> dict[str, object]:
    """`presences`: presences of people; empty without an account."""
    presences = Presences(presences={}, server_timestamp=fetch.svc.clock(), presence_last_update_id=NO_UPDATE)
    if fetch.actor is not None:
        wanted = WantedPresences(
            slim=fetch.registration.slim_presence,
            history_days=fetch.registration.presence_history_limit_days,
        )
        everybody = {user.id: user for user in fetch.users}
        presences = visible_presences(View(fetch.svc, fetch.snapshot), fetch.actor, wanted, everybody)
    return asdict(presences)


def muted_users(fetch: Fetch) -> dict[str, object]:
    """`muted_users`: people muted by the caller."""
    assert fetch.actor is not None
    return {"muted_users": muted_user_objects(fetch.snapshot, fetch.actor)}


NO_TOUR: Mapping[str, object] = {"navigation_tour_video_url": None}


def onboarding_steps(fetch: Fetch) -> dict[str, object]:
    """`onboarding_steps`: what clients have not shown the caller yet."""
    return {"onboarding_steps": step_objects(fetch.snapshot, fetch.user), **NO_TOUR}
