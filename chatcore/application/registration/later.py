"""Initial state of resources that are not implemented yet.

When a resource is implemented, its row in `chatcore.application.registration.state` names the real function
instead of the one here.
"""

from chatcore.application.registration.fetch import Fetch


def filters(fetch: Fetch) -> dict[str, object]:
    """`realm_filters`: the oldest form of linkifiers, always empty."""
    return {"realm_filters": []}


def embedded_bots(fetch: Fetch) -> dict[str, object]:
    return {"realm_embedded_bots": []}


def incoming_webhook_bots(fetch: Fetch) -> dict[str, object]:
    return {"realm_incoming_webhook_bots": []}


def gif_search(fetch: Fetch) -> dict[str, object]:
    return {"giphy_api_key": ""}
