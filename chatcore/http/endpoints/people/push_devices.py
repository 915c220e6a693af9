"""Registrations of phones for push messages, which this server does not send yet."""

from typing import Annotated

from chatcore.application.services import Services
from chatcore.domain.people.push_devices import require_token
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params, Text, about
from chatcore.http.routing import Done


class TokenParams(Params, kw_only=True, frozen=True):
    token: Annotated[Text, about("The token of the device. It is checked, and not kept.")]


class AppleTokenParams(TokenParams, kw_only=True, frozen=True):
    appid: Annotated[Text, about("The program on the device.")] = ""


def add_apple_device(svc: Services, caller: Caller, p: AppleTokenParams) -> Done:
    """Accept a phone for push messages; this server sends none yet."""
    require_token(caller.user, p.token, is_hex=True)
    return Done()


def remove_apple_device(svc: Services, caller: Caller, p: TokenParams) -> Done:
    """Remove the registration of a phone."""
    require_token(caller.user, p.token, is_hex=True)
    return Done()


def add_android_device(svc: Services, caller: Caller, p: TokenParams) -> Done:
    """Accept a phone for push messages; this server sends none yet."""
    require_token(caller.user, p.token)
    return Done()


def remove_android_device(svc: Services, caller: Caller, p: TokenParams) -> Done:
    """Remove the registration of a phone."""
    require_token(caller.user, p.token)
    return Done()
