"""Initial state of resources that are not implemented yet.

When a resource is implemented, its row in `chatcore.application.registration.state` names the real function
instead of the one here.
"""

from chatcore.application.registration.fetch import Fetch


def filters(fetch: Fetch) -> dict[str, object]:
    """`realm_filters`: the oldest form of linkifiers, always empty."""
    return {"realm_filters": []}


def gif_search(fetch: Fetch) -> dict[str, object]:
    return {"giphy_api_key": ""}
