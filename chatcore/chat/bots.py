"""Bots of people: making, listing, changing and deactivating them."""

from collections.abc import Mapping, Sequence
from typing import Any

from chatcore.application.bots import managing, receiving
from chatcore.application.bots.managing import BotChange, BotOptions, NewBot
from chatcore.chat.given import (
    Pieces,
    a_role,
    all_pieces,
    number,
    number_or_text,
    optional,
    text,
    texts_by_name,
    truth,
    user_id_of,
)
from chatcore.chat.made import bots as made
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.people.users import BotType
from chatcore.domain.roles import Role
from chatcore.events.payloads.bots import BotObject


class Bots(made.Bots):
    """Bots of the actor. An administrator also manages those of others."""

    def list(self, actor: Actor) -> Sequence[BotObject]:
        """Return the actor's active bots, with their keys."""
        return managing.own_bots(self._svc, self._acting(actor))

    def create(
        self,
        actor: Actor,
        full_name: str,
        short_name: str,
        *,
        bot_type: int = BotType.GENERIC,
        service_name: str = "",
        sending_channel: str | None = None,
        events_channel: str | None = None,
        all_public: bool | None = None,
        payload_url: str | None = None,
        interface: int | None = None,
        config: Mapping[str, str] | None = None,
        picture: Pieces | None = None,
    ) -> BotObject:
        """Create a bot of the actor, and return it.

        *service_name* is the program of an embedded bot or the integration of an incoming webhook;
        *payload_url* and *interface* are the address and form of an outgoing webhook.

        :raises BadRequest: no permission, too many bots, or an invalid name, type, address, channel or
            setting
        :raises FileTooLarge, BadImage, QuotaExceeded: a picture that cannot be used
        :raises RateLimited: another picture of the actor is being processed
        """
        new = NewBot(
            full_name=text(full_name=full_name),
            short_name=text(short_name=short_name),
            bot_type=number(bot_type=bot_type),
            service_name=text(service_name=service_name),
            options=BotOptions(
                sending_channel=optional(text, sending_channel=sending_channel),
                events_channel=optional(text, events_channel=events_channel),
                all_public=optional(truth, all_public=all_public),
                payload_url=optional(text, payload_url=payload_url),
                interface=optional(number, interface=interface),
                config=optional(texts_by_name, config=config),
            ),
        )
        given = optional(all_pieces, picture=picture)
        return managing.create_bot(self._svc, self._acting(actor), new, picture=given)

    def update(
        self,
        actor: Actor,
        bot_id: int | Actor,
        *,
        full_name: str | None = None,
        role: Role | str | int | None = None,
        owner_id: int | Actor | None = None,
        sending_channel: str | None = None,
        events_channel: str | None = None,
        all_public: bool | None = None,
        payload_url: str | None = None,
        interface: int | None = None,
        config: Mapping[str, str] | None = None,
        picture: Pieces | None = None,
    ) -> BotObject:
        """Change a bot, as its owner or an administrator, and return it. None leaves a setting unchanged, an
        empty name of a channel unsets it.

        :raises InsufficientRole: changing the role needs an administrator or an owner, or the bot has the
            role of owners
        :raises BotRoleAboveOwner: its role would be above its owner's
        :raises BadRequest: no such bot, somebody else's, or an invalid name, role, owner, channel or setting
        :raises FileTooLarge, BadImage, QuotaExceeded: a picture that cannot be used
        :raises RateLimited: another picture of the actor is being processed
        """
        change = BotChange(
            full_name=optional(text, full_name=full_name),
            role=optional(a_role, role=role),
            owner_id=optional(user_id_of, owner_id=owner_id),
            options=BotOptions(
                sending_channel=optional(text, sending_channel=sending_channel),
                events_channel=optional(text, events_channel=events_channel),
                all_public=optional(truth, all_public=all_public),
                payload_url=optional(text, payload_url=payload_url),
                interface=optional(number, interface=interface),
                config=optional(texts_by_name, config=config),
            ),
        )
        given = optional(all_pieces, picture=picture)
        user_id = user_id_of(bot_id=bot_id)
        return managing.update_bot(self._svc, self._acting(actor), user_id, change, picture=given)

    def receive(
        self,
        actor: Actor,
        integration: str,
        data: Any,
        *,
        channel: int | str | None = None,
        topic: str | None = None,
    ) -> MessageId:
        """Send what an integration makes of data, as the actor: to a channel, or without one to the bot's
        owner.

        :raises NotFound: no such integration
        :raises AnomalousPayload: data that it does not understand
        :raises BadRequest: no channel is named and the actor has no owner, or no permission to send there
        :raises ChannelDoesNotExist: no such channel for the bot
        """
        return receiving.receive(
            self._svc,
            self._acting(actor),
            text(integration=integration),
            data,
            channel=optional(number_or_text, channel=channel),
            topic=optional(text, topic=topic),
        )
