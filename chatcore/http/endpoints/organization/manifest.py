"""The manifest by which browsers install the web client, under the name of the organization."""

from typing import Final

from chatcore.application.services import Services
from chatcore.application.units import find_organization
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.pages.web import CLIENT
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.encoding import encode
from chatcore.http.response import Response

MEDIA_TYPE: Final = "application/manifest+json"
ICONS: Final = (
    ("icon.svg", "image/svg+xml", "any", "any"),
    ("icon-192.png", "image/png", "192x192", "any"),
    ("icon-512.png", "image/png", "512x512", "any"),
    ("icon-maskable.png", "image/png", "512x512", "maskable"),
)
"""File, media type, size and purpose of each icon."""
GROUND: Final = "#ffffff"
"""The colour of the window until the page has named its own for light and dark."""


def show_manifest(svc: Services, caller: Caller, request: Incoming, p: NoParams) -> Response:
    """Read by what name and with which icons browsers install the web client.

    All addresses in it are relative to its own one, so it holds under any path.
    """
    organization = find_organization(svc.storage)
    manifest = {
        "name": organization.name if organization is not None else "Chat",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": [
            {"src": CLIENT.address_of(name), "type": media_type, "sizes": size, "purpose": purpose}
            for name, media_type, size, purpose in ICONS
        ],
    }
    return Response(200, encode(manifest), [("Cache-Control", "no-cache")], MEDIA_TYPE)
