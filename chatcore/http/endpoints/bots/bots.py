"""Endpoints that list, create and change bots."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from chatcore.application.arguments import about
from chatcore.application.bots import managing
from chatcore.application.bots.managing import BotChange, BotOptions, NewBot
from chatcore.application.services import Services
from chatcore.domain.people.users import BotType
from chatcore.events.payloads.bots import BotObject, KeyedBotObject, ServiceObject
from chatcore.http.endpoints.people.proof import OwnPassword, require_proof
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer


class OwnBotObject(KeyedBotObject):
    """A bot as its owner lists it."""

    username: str


class BotsAnswer(Answer, frozen=True, kw_only=True):
    bots: list[OwnBotObject]


def list_bots(svc: Services, caller: Caller, p: NoParams) -> BotsAnswer:
    """List the caller's active bots, with their keys; in a browser's session these are empty."""
    bots = managing.own_bots(svc, caller.actor, with_keys=not caller.session)
    return BotsAnswer(bots=[_own_bot_object(bot) for bot in bots])


def _own_bot_object(bot: BotObject) -> OwnBotObject:
    return {
        "user_id": bot["user_id"],
        "username": bot["email"],
        "full_name": bot["full_name"],
        "bot_type": bot["bot_type"],
        "api_key": bot["api_key"],
        "avatar_url": bot["avatar_url"],
        "default_sending_stream": bot["default_sending_stream"],
        "default_events_register_stream": bot["default_events_register_stream"],
        "default_all_public_streams": bot["default_all_public_streams"],
        "services": bot["services"],
    }


class CreateParams(Params, kw_only=True, frozen=True):
    full_name: Annotated[Text, about("The bot's name.")]
    short_name: Annotated[Text, about("The beginning of its address, before '-bot'.")]
    bot_type: Annotated[
        int,
        about("1: generic; 2: incoming webhook, which only sends; 3: outgoing; 4: embedded.", 1, 2, 3, 4),
    ] = int(BotType.GENERIC)
    payload_url: Annotated[
        Text | None, about("For an outgoing webhook, the address that gets its messages.")
    ] = None
    interface_type: Annotated[
        int | None, about("For an outgoing webhook, the form of the requests: 1 JSON, 2 form fields.", 1, 2)
    ] = None
    service_name: Annotated[
        Text, about("For an embedded bot its program, for an incoming webhook its integration.")
    ] = ""
    config_data: Annotated[dict[str, str] | None, about("The configuration, texts by key.")] = None
    default_sending_stream: Annotated[
        Text | None, about("The channel of its messages that name no place.")
    ] = None
    default_events_register_stream: Annotated[
        Text | None, about("The channel to which its event queues are narrowed by default.")
    ] = None
    default_all_public_streams: Annotated[
        bool | None, about("Whether its event queues get messages of all public channels by default.")
    ] = None
    own_password: OwnPassword = ""


class BotAnswer(Answer, frozen=True, kw_only=True):
    user_id: int
    api_key: str
    avatar_url: str | None
    default_sending_stream: str | None
    default_events_register_stream: str | None
    default_all_public_streams: bool


def create(svc: Services, caller: Caller, p: CreateParams, file: bytes | None) -> BotAnswer:
    """Create a bot, which belongs to the caller.

    The form may have one file, the bot's picture; the name of its part does not matter.
    """
    require_proof(svc, caller, p.own_password)
    new = NewBot(
        full_name=p.full_name,
        short_name=p.short_name,
        bot_type=p.bot_type,
        service_name=p.service_name,
        options=BotOptions(
            sending_channel=p.default_sending_stream,
            events_channel=p.default_events_register_stream,
            all_public=p.default_all_public_streams,
            payload_url=_strip_quotes(p.payload_url),
            interface=p.interface_type,
            config=p.config_data,
        ),
    )
    bot: Any = managing.create_bot(svc, caller.actor, new, picture=_picture(file))
    return BotAnswer(**{name: bot[name] for name in BotAnswer.__struct_fields__})


class UpdateParams(Params, kw_only=True, frozen=True):
    bot_id: Annotated[int, about("The bot's id.")]
    full_name: Annotated[Text | None, about("Its new name.")] = None
    role: Annotated[
        int | None, about("Its new role, which administrators change.", 100, 200, 300, 400, 600)
    ] = None
    bot_owner_id: Annotated[int | None, about("Its new owner, who gets a new key of it.")] = None
    config_data: Annotated[
        dict[str, str] | None, about("Texts of its configuration by key; other keys stay.")
    ] = None
    service_payload_url: Annotated[
        Text | None, about("For an outgoing webhook, the address that gets its messages.")
    ] = None
    service_interface: Annotated[
        int | None, about("For an outgoing webhook, the form of the requests: 1 JSON, 2 form fields.", 1, 2)
    ] = None
    default_sending_stream: Annotated[
        Text | None, about("The channel of its messages that name no place; empty for none.")
    ] = None
    default_events_register_stream: Annotated[
        Text | None, about("The channel to which its event queues are narrowed by default; empty for none.")
    ] = None
    default_all_public_streams: Annotated[
        bool | None, about("Whether its event queues get messages of all public channels by default.")
    ] = None
    own_password: OwnPassword = ""


class UpdateAnswer(Answer, frozen=True, kw_only=True):
    full_name: str
    avatar_url: str | None
    service_interface: int | UnsetType = UNSET
    service_payload_url: str | UnsetType = UNSET
    config_data: Mapping[str, str] | UnsetType = UNSET
    default_sending_stream: str | None
    default_events_register_stream: str | None
    default_all_public_streams: bool
    bot_owner_id: int | None


def update(svc: Services, caller: Caller, p: UpdateParams, file: bytes | None) -> UpdateAnswer:
    """Change a bot, as its owner or an administrator.

    The form may have one file, the bot's new picture; the name of its part does not matter.
    """
    if any(given is not None for given in (p.bot_owner_id, p.service_payload_url, p.service_interface)):
        require_proof(svc, caller, p.own_password)
    change = BotChange(
        full_name=p.full_name,
        role=p.role,
        owner_id=p.bot_owner_id,
        options=BotOptions(
            sending_channel=p.default_sending_stream,
            events_channel=p.default_events_register_stream,
            all_public=p.default_all_public_streams,
            payload_url=_strip_quotes(p.service_payload_url),
            interface=p.service_interface,
            config=p.config_data,
        ),
    )
    bot = managing.update_bot(svc, caller.actor, p.bot_id, change, picture=_picture(file))
    (service,) = bot["services"] or [ServiceObject()]
    return UpdateAnswer(
        full_name=bot["full_name"],
        avatar_url=bot["avatar_url"],
        service_interface=service.get("interface", UNSET),
        service_payload_url=service.get("base_url", UNSET),
        config_data=service.get("config_data", UNSET),
        default_sending_stream=bot["default_sending_stream"],
        default_events_register_stream=bot["default_events_register_stream"],
        default_all_public_streams=bot["default_all_public_streams"],
        bot_owner_id=bot["owner_id"],
    )


def _picture(file: bytes | None) -> Sequence[bytes] | None:
    return None if file is None else [file]


def _strip_quotes(url: str | None) -> str | None:
    """Return an address that clients send as it is, or as JSON."""
    if url is not None and len(url) > 1 and url[0] == url[-1] == '"':
        return url[1:-1]
    return url
