"""People."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.people.alert_words import add_alert_words, alert_words, remove_alert_words
from chatcore.application.people.avatars import remove_own_picture
from chatcore.application.people.deactivation import deactivate_user
from chatcore.application.people.muted_users import mute_user, unmute_user
from chatcore.application.people.profiles import remove_own
from chatcore.application.people.sessions import end as end_session
from chatcore.application.people.settings import run_command
from chatcore.application.people.users import get_user, get_user_by_email, own_user
from chatcore.application.people.welcome import finish_step
from chatcore.http.bodies.reading import MULTIPART
from chatcore.http.endpoints.people import (
    accounts,
    administration,
    api_keys,
    avatars,
    deactivation,
    erasure,
    presence,
    profiles,
    push_devices,
    sessions,
    settings,
    statuses,
    users,
)
from chatcore.http.endpoints.people.answers import AvatarAnswer, OwnUserAnswer, UserAnswer, WordsAnswer
from chatcore.http.operations import operation
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, RawRoute, Route
from chatcore.http.response import ANY
from chatcore.http.routes.files import file_route
from chatcore.runtime.admission import Lane

APPLE_DEVICE: Final = "/users/me/apns_device_token"
ANDROID_DEVICE: Final = "/users/me/android_gcm_reg_id"
MUTED: Final = {"user_id": "muted_user_id"}
WORDS: Final = {"words": "alert_words"}

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("POST", "/fetch_api_key", accounts.LoginParams, accounts.log_in, auth=Auth.NONE),
    Route(
        "POST", "/jwt/fetch_api_key", accounts.TokenLoginParams, accounts.log_in_with_token, auth=Auth.NONE
    ),
    Route(
        "POST",
        "/dev_fetch_api_key",
        accounts.DevelopmentLoginParams,
        accounts.log_in_for_development,
        auth=Auth.NONE,
    ),
    Route("POST", "/accounts/login", accounts.LoginParams, sessions.log_in, auth=Auth.OWN_PAGE),
    Route("GET", "/dev_list_users", NoParams, accounts.list_for_development, auth=Auth.NONE),
    Route(
        "POST",
        "/accounts/dev_login",
        accounts.DevelopmentLoginParams,
        sessions.log_in_for_development,
        auth=Auth.OWN_PAGE,
    ),
    Route("POST", "/accounts/logout", NoParams, sessions.log_out, auth=Auth.OWN_PAGE),
    Route("GET", "/users/me/sessions", NoParams, sessions.list_own),
    Route("DELETE", "/users/me/sessions", NoParams, sessions.end_others),
    operation("DELETE", "/users/me/sessions/{session_id:int}", end_session),
    Route("GET", "/users", users.ListParams, users.list_users, auth=Auth.OPTIONAL),
    operation("GET", "/users/me", own_user, OwnUserAnswer),
    operation("GET", "/users/{user_id:int}", get_user, UserAnswer),
    operation("GET", "/users/{email}", get_user_by_email, UserAnswer),
    Route("PATCH", "/users/{user_id:int}", administration.UpdateParams, administration.update_user),
    Route("PATCH", "/users/{email}", administration.UpdateByEmailParams, administration.update_user_by_email),
    Route("POST", "/users", accounts.CreateParams, accounts.create, of_administrators=True),
    Route("DELETE", "/users/me", deactivation.DeactivateSelfParams, deactivation.deactivate_self),
    operation(
        "DELETE",
        "/users/{user_id:int}",
        deactivate_user,
        names={"comment": "deactivation_notification_comment"},
        of_administrators=True,
    ),
    Route(
        "POST",
        "/users/{user_id:int}/reactivate",
        deactivation.ReactivateParams,
        deactivation.reactivate,
        of_administrators=True,
    ),
    Route("POST", "/users/{user_id:int}/erase", erasure.EraseParams, erasure.erase),
    Route("GET", "/users/{user_id:int}/status", statuses.StatusOfParams, statuses.status_of),
    Route("POST", "/users/{user_id:int}/status", statuses.SetStatusOfParams, statuses.set_status_of),
    operation("POST", "/users/me/muted_users/{muted_user_id:int}", mute_user, names=MUTED),
    operation("DELETE", "/users/me/muted_users/{muted_user_id:int}", unmute_user, names=MUTED),
    Route("POST", "/users/me/status", statuses.SetStatusParams, statuses.set_status),
    Route("POST", "/users/me/presence", presence.UpdateParams, presence.update),
    Route("GET", "/users/{user_id_or_email}/presence", presence.OneParams, presence.of_one),
    Route("GET", "/realm/presence", NoParams, presence.of_all),
    Route("PATCH", "/users/me/profile_data", profiles.UpdateProfileParams, profiles.update_profile),
    operation("DELETE", "/users/me/profile_data", remove_own, names={"field_ids": "data"}),
    operation("POST", "/zcommand", run_command),
    Route("PATCH", "/settings", settings.UpdateParams, settings.update),
    Route("PATCH", "/settings/display", settings.UpdateParams, settings.update_by_older_name),
    Route("PATCH", "/settings/notifications", settings.UpdateParams, settings.update_by_older_name),
    Route("POST", "/users/me/api_key/regenerate", api_keys.RenewOwnParams, api_keys.renew_own),
    operation("GET", "/users/me/alert_words", alert_words, WordsAnswer),
    operation("POST", "/users/me/alert_words", add_alert_words, WordsAnswer, names=WORDS),
    operation("DELETE", "/users/me/alert_words", remove_alert_words, WordsAnswer, names=WORDS),
    operation("POST", "/users/me/onboarding_steps", finish_step, names={"name": "onboarding_step"}),
    Route("POST", APPLE_DEVICE, push_devices.AddAppleParams, push_devices.add_apple_device),
    Route("DELETE", APPLE_DEVICE, push_devices.TokenParams, push_devices.remove_apple_device),
    Route("POST", ANDROID_DEVICE, push_devices.AddParams, push_devices.add_android_device),
    Route("DELETE", ANDROID_DEVICE, push_devices.TokenParams, push_devices.remove_android_device),
    Route("POST", "/mobile_push/register", push_devices.RegisterParams, push_devices.register),
    Route("POST", "/mobile_push/test_notification", push_devices.TestParams, push_devices.test),
    Route(
        "POST",
        "/mobile_push/e2ee/test_notification",
        push_devices.TestEncryptedParams,
        push_devices.test_encrypted,
    ),
    RawRoute(
        "GET",
        "/avatar/{email_or_id}",
        avatars.UserPictureParams,
        avatars.show,
        auth=Auth.OPTIONAL,
        by_cookie=True,
        prefix="",
        answers=ANY,
        lane=Lane.FILES,
    ),
    RawRoute(
        "GET",
        "/avatar/{email_or_id}/medium",
        avatars.UserPictureParams,
        avatars.show_medium,
        auth=Auth.OPTIONAL,
        by_cookie=True,
        prefix="",
        answers=ANY,
        lane=Lane.FILES,
    ),
    file_route(
        "/user_avatars/{realm_id:int}/{name}",
        avatars.PictureParams,
        avatars.picture,
        auth=Auth.NONE,
        answers="image/png",
    ),
    RawRoute("POST", "/users/me/avatar", NoParams, avatars.upload, body=MULTIPART),
    operation("DELETE", "/users/me/avatar", remove_own_picture, AvatarAnswer),
)
