"""Pushes to browsers, and the times in which nothing notifies a person."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.push.do_not_disturb import set_do_not_disturb
from chatcore.application.push.subscriptions import unsubscribe
from chatcore.http.endpoints.push import do_not_disturb, subscriptions
from chatcore.http.operations import operation
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.routing import AnyRoute, Route

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/web_push", NoParams, subscriptions.show),
    Route("POST", "/web_push/subscriptions", subscriptions.SubscribeParams, subscriptions.subscribe),
    operation("DELETE", "/web_push/subscriptions/{subscription_id:int}", unsubscribe),
    Route("GET", "/users/me/do_not_disturb", NoParams, do_not_disturb.show),
    operation("PATCH", "/users/me/do_not_disturb", set_do_not_disturb),
)
