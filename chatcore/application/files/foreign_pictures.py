"""Pictures of other sites in messages, fetched by the server for its readers."""

from functools import partial
from string import punctuation
from typing import Final
from urllib.parse import quote

from chatcore.application.asking import fetch
from chatcore.application.services import Services
from chatcore.domain.files.media_types import essence, shown_picture_type
from chatcore.domain.files.uploads import NoSuchFile
from chatcore.domain.web_addresses import parse_web_address
from chatcore.runtime.foreign_pictures import Picture, SiteIsSlow
from chatcore.runtime.work import Work

MAX_BYTES: Final = 5 * 2**20
USER_AGENT: Final = "chatcore (picture proxy)"


def foreign_picture(svc: Services, digest: str, encoded: str) -> Picture:
    """Return the picture of another site whose address this server has signed.

    :raises NoSuchFile: it has not signed it, or gets no picture there
    """
    url = svc.settings.foreign_media.url_at(digest, encoded)
    target = None if url is None else parse_web_address(url)
    if url is None or target is None:
        raise NoSuchFile
    fetch_once = partial(svc.run_blocking, partial(_fetch, svc, url), Work.FOREIGN)
    picture = svc.foreign_pictures.get(url, target.hostname or "", fetch_once)
    if picture is None:
        raise NoSuchFile
    return picture


def _fetch(svc: Services, url: str) -> Picture | None:
    """Fetch a picture; its first bytes say what it is, and it is not decoded.

    :raises SiteIsSlow: it has not come in time
    """
    from chatcore.runtime.outgoing_requests import NoLookupInTime, RequestTimedOut  # loads an HTTP library

    address = quote(url, safe=punctuation)
    try:
        answer = fetch(
            svc, address, asker="pictures", accept="image/*", user_agent=USER_AGENT, max_bytes=MAX_BYTES
        )
    except NoLookupInTime:
        return None
    except RequestTimedOut as error:
        raise SiteIsSlow from error
    if answer is None or not essence(answer.headers.get("content-type", "")).startswith("image/"):
        return None
    content_type = shown_picture_type(answer.body)
    return None if content_type is None else Picture(content_type, answer.body)
