"""Requests to the sites and services that people have named, as the settings of the server permit."""

from typing import TYPE_CHECKING, Final

from chatcore.application.services import Services
from chatcore.domain.ids import UserId

if TYPE_CHECKING:
    from chatcore.runtime.outgoing_requests import Answered, Outgoing

FETCH_SECONDS: Final = 5
REDIRECTS: Final = 3
LOOKUPS_FOR_ALL: Final = 12
"""Names that are looked up at a time where one asks for all accounts, so that those of one account leave some
to the others.
"""


def ask(svc: Services, request: "Outgoing", asker: UserId | str) -> "Answered":
    """Send a request and return the answer, whatever its status.

    :param asker: the account for which it is sent, or what asks for all accounts
    :raises RequestFailed: as `chatcore.runtime.outgoing_requests.send_request` does
    """
    from chatcore.runtime.outgoing_requests import Asker, send_request  # loads an HTTP library: when needed

    who = svc.settings.external_url, asker
    return send_request(
        request,
        asker=Asker(who, LOOKUPS_FOR_ALL) if isinstance(asker, str) else Asker(who),
        private_addresses=svc.settings.outgoing_private_addresses,
        monotonic=svc.monotonic,
    )


def fetch(
    svc: Services, url: str, *, asker: UserId | str, accept: str, user_agent: str, max_bytes: int
) -> "Answered | None":
    """Fetch what a site has at an address; None if there is no answer with the status 200.

    :raises RequestTimedOut: it has not come in time
    """
    from chatcore.runtime.outgoing_requests import Outgoing, RequestFailed, RequestTimedOut

    request = Outgoing(
        url=url,
        headers={"User-Agent": user_agent, "Accept": accept},
        seconds=FETCH_SECONDS,
        max_bytes=max_bytes,
        redirects=REDIRECTS,
    )
    try:
        answer = ask(svc, request, asker)
    except RequestTimedOut:
        raise
    except RequestFailed:
        return None
    return answer if answer.status == 200 else None
