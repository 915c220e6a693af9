"""Registrations of phones for push messages, which this server does not send yet."""

from typing import Annotated, Literal

from chatcore.application.arguments import about
from chatcore.application.services import Services
from chatcore.domain.people.push_devices import (
    InvalidPushDeviceToken,
    NoActivePushDevice,
    NoPushService,
    require_person,
    require_token,
)
from chatcore.http.endpoints.people.proof import OwnPassword, require_proof
from chatcore.http.parameters.declaring import Params, Text, also
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Done


class TokenParams(Params, kw_only=True, frozen=True):
    token: Annotated[Text, about("The token of the device. It is checked, and not kept.")]


class AddParams(TokenParams, kw_only=True, frozen=True):
    own_password: OwnPassword = ""


class AddAppleParams(AddParams, kw_only=True, frozen=True):
    appid: Annotated[Text, about("The program on the device.")] = ""


def add_apple_device(svc: Services, caller: Caller, p: AddAppleParams) -> Done:
    """Accept a phone for push messages; this server sends none yet."""
    require_proof(svc, caller, p.own_password)
    require_token(caller.actor, p.token, is_hex=True)
    return Done()


def remove_apple_device(svc: Services, caller: Caller, p: TokenParams) -> Done:
    """Remove the registration of a phone."""
    require_token(caller.actor, p.token, is_hex=True)
    return Done()


def add_android_device(svc: Services, caller: Caller, p: AddParams) -> Done:
    """Accept a phone for push messages; this server sends none yet."""
    require_proof(svc, caller, p.own_password)
    require_token(caller.actor, p.token)
    return Done()


def remove_android_device(svc: Services, caller: Caller, p: TokenParams) -> Done:
    """Remove the registration of a phone."""
    require_token(caller.actor, p.token)
    return Done()


class RegisterParams(Params, kw_only=True, frozen=True):
    token_kind: Annotated[Literal["fcm", "apns"], about("The service from which the device has its token.")]
    push_account_id: Annotated[int, about("The number that the client has chosen for this registration.")]
    push_public_key: Annotated[
        Text, also("push_key"), about("The key for encrypting push messages to the device.")
    ]
    bouncer_public_key: Annotated[
        Text, about("The key of the push service with which the registration is encrypted.")
    ]
    encrypted_push_registration: Annotated[Text, about("The registration, for the push service alone.")]


def register(svc: Services, caller: Caller, p: RegisterParams) -> Done:
    """Register a phone for encrypted push messages.

    This server has no push service and refuses every registration.
    """
    require_person(caller.actor)
    raise NoPushService


class TestParams(Params, kw_only=True, frozen=True):
    token: Annotated[Text | None, about("The token of one device; all devices otherwise.")] = None


def test(svc: Services, caller: Caller, p: TestParams) -> Done:
    """Send a push message to the caller's phones as a test.

    This server has no push service and keeps no devices, so that it refuses every request.
    """
    require_person(caller.actor)
    raise NoPushService if p.token is None else InvalidPushDeviceToken


class TestEncryptedParams(Params, kw_only=True, frozen=True):
    push_account_id: Annotated[int | None, about("The number of one registration; all otherwise.")] = None


def test_encrypted(svc: Services, caller: Caller, p: TestEncryptedParams) -> Done:
    """Send an encrypted push message to the caller's phones as a test.

    No phone is registered for such messages, so that this server refuses every request.
    """
    require_person(caller.actor)
    raise NoActivePushDevice
