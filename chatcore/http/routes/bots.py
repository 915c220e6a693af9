"""Bots."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.bots.managing import deactivate_bot
from chatcore.application.people.bot_storage import get_storage, put_storage, remove_storage
from chatcore.domain.files.uploads import MIB
from chatcore.http.endpoints.bots import bots, integrations
from chatcore.http.endpoints.bots.answers import StorageAnswer
from chatcore.http.endpoints.people import api_keys
from chatcore.http.operations import operation
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, FileRoute, RawRoute, Route

MAX_FORM: Final = 26 * MIB
"""Maximal bytes of a form with a picture; the limit on pictures is below it."""

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/bots", NoParams, bots.list_bots),
    FileRoute("POST", "/bots", bots.CreateParams, bots.create, max_body=MAX_FORM),
    FileRoute("PATCH", "/bots/{bot_id:int}", bots.UpdateParams, bots.update, max_body=MAX_FORM),
    operation("DELETE", "/bots/{bot_id:int}", deactivate_bot),
    Route("POST", "/bots/{bot_id:int}/api_key/regenerate", api_keys.BotParams, api_keys.renew_of_bot),
    RawRoute(
        "POST",
        "/external/{integration}",
        integrations.PostParams,
        integrations.post,
        auth=Auth.KEY_IN_QUERY,
        body="application/json",
    ),
    operation("GET", "/bot_storage", get_storage, StorageAnswer, room="bots"),
    operation("PUT", "/bot_storage", put_storage, names={"values": "storage"}, room="bots"),
    operation("DELETE", "/bot_storage", remove_storage, room="bots"),
)
