"""The end of a login by a provider: a page in a browser, or a mobile app that gets the key."""

import re
from typing import Final
from urllib.parse import urlencode

from chatcore.application.people.logins import Login
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest, InvalidParameter

MAX_PAGE_LENGTH: Final = 500
_PAGE: Final = re.compile(r"/(?!/)[!-\[\]-~]*")
"""A path in ASCII, as browsers write it, that cannot be the beginning of a host."""
_PAD: Final = re.compile("[0-9a-fA-F]{64}")
"""A one-time pad for an API key of 32 characters, in hexadecimal digits."""


def require_destination(svc: Services, page: str, pad: str) -> None:
    """Check where a login shall lead: to a page, or with the one-time pad of a mobile app to the app.

    :raises InvalidParameter: a page that is not one of this organization, or a pad that is none
    :raises BadRequest: a pad, and there is no app
    """
    if len(page) > MAX_PAGE_LENGTH or not _PAGE.fullmatch(page):
        raise InvalidParameter("next", "use a path of this organization, such as '/'")
    if pad and not _PAD.fullmatch(pad):
        raise InvalidParameter("mobile_flow_otp", "use 64 hexadecimal digits")
    if pad and not svc.settings.login_app_scheme:
        raise BadRequest("Mobile apps cannot log in by this service here.")


def address_in_app(svc: Services, login: Login, pad: str, *, url: str) -> str:
    """Return the address by which a mobile app gets its key, in a form that only who has the pad can read."""
    key = int(login.api_key.encode().hex(), 16) ^ int(pad, 16)
    parameters = {
        "otp_encrypted_api_key": f"{key:064x}",
        "email": login.email,
        "user_id": login.user_id,
        "realm": url,
    }
    return f"{svc.settings.login_app_scheme}://login?{urlencode(parameters)}"
