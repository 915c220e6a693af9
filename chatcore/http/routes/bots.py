"""Bots."""

from collections.abc import Sequence
from typing import Final

from chatcore.domain.files.uploads import MIB
from chatcore.http.auth import Auth
from chatcore.http.endpoints.bots import bot_storage, bots, integrations
from chatcore.http.endpoints.people import api_keys
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.routing import AnyRoute, FileRoute, RawRoute, Route

MAX_FORM: Final = 26 * MIB
"""Maximal bytes of a form with a picture; the limit on pictures is below it."""

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/bots", NoParams, bots.list_bots),
    FileRoute("POST", "/bots", bots.CreateParams, bots.create, max_body=MAX_FORM),
    FileRoute("PATCH", "/bots/{bot_id:int}", bots.UpdateParams, bots.update, max_body=MAX_FORM),
    Route("DELETE", "/bots/{bot_id:int}", bots.BotParams, bots.deactivate),
    Route("POST", "/bots/{bot_id:int}/api_key/regenerate", api_keys.BotParams, api_keys.renew_of_bot),
    RawRoute(
        "POST",
        "/external/{integration}",
        integrations.PostParams,
        integrations.post,
        auth=Auth.KEY_IN_QUERY,
        body="application/json",
    ),
    Route("GET", "/bot_storage", bot_storage.KeysParams, bot_storage.get),
    Route("PUT", "/bot_storage", bot_storage.PutParams, bot_storage.put),
    Route("DELETE", "/bot_storage", bot_storage.KeysParams, bot_storage.remove),
)
