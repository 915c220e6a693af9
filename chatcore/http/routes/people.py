"""People."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.admission import Lane
from chatcore.http.auth import Auth
from chatcore.http.bodies.multipart import FORM
from chatcore.http.endpoints.files import uploads
from chatcore.http.endpoints.people import (
    accounts,
    administration,
    alert_words,
    api_keys,
    avatars,
    commands,
    deactivation,
    muted_users,
    onboarding,
    presence,
    profiles,
    push_devices,
    sessions,
    settings,
    statuses,
    users,
)
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.routing import AnyRoute, RawRoute, Route

_ANY = "*/*"

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("POST", "/fetch_api_key", accounts.LoginParams, accounts.log_in, auth=Auth.NONE),
    Route(
        "POST",
        "/dev_fetch_api_key",
        accounts.DevelopmentLoginParams,
        accounts.log_in_for_development,
        auth=Auth.NONE,
    ),
    Route("POST", "/accounts/login", accounts.LoginParams, sessions.log_in, auth=Auth.OWN_PAGE),
    Route("POST", "/accounts/logout", NoParams, sessions.log_out, auth=Auth.OWN_PAGE),
    Route("GET", "/users", users.ListParams, users.list_users, auth=Auth.OPTIONAL),
    Route("GET", "/users/me", NoParams, users.own_user),
    Route("GET", "/users/{user_id:int}", users.GetParams, users.get_user),
    Route("GET", "/users/{email}", users.GetByEmailParams, users.get_user_by_email),
    Route("PATCH", "/users/{user_id:int}", administration.UpdateParams, administration.update_user),
    Route("PATCH", "/users/{email}", administration.UpdateByEmailParams, administration.update_user_by_email),
    Route("POST", "/users", accounts.CreateParams, accounts.create, of_administrators=True),
    Route("DELETE", "/users/me", NoParams, deactivation.deactivate_self),
    Route(
        "DELETE",
        "/users/{user_id:int}",
        deactivation.DeactivateParams,
        deactivation.deactivate,
        of_administrators=True,
    ),
    Route(
        "POST",
        "/users/{user_id:int}/reactivate",
        deactivation.ReactivateParams,
        deactivation.reactivate,
        of_administrators=True,
    ),
    Route("GET", "/users/{user_id:int}/status", statuses.StatusOfParams, statuses.status_of),
    Route("POST", "/users/{user_id:int}/status", statuses.SetStatusOfParams, statuses.set_status_of),
    Route(
        "POST",
        "/users/me/muted_users/{muted_user_id:int}",
        muted_users.MutedUserParams,
        muted_users.mute,
    ),
    Route(
        "DELETE",
        "/users/me/muted_users/{muted_user_id:int}",
        muted_users.MutedUserParams,
        muted_users.unmute,
    ),
    Route("POST", "/users/me/status", statuses.SetStatusParams, statuses.set_status),
    Route("POST", "/users/me/presence", presence.UpdateParams, presence.update),
    Route("GET", "/users/{user_id_or_email}/presence", presence.OneParams, presence.of_one),
    Route("GET", "/realm/presence", NoParams, presence.of_all),
    Route("PATCH", "/users/me/profile_data", profiles.UpdateProfileParams, profiles.update_profile),
    Route("DELETE", "/users/me/profile_data", profiles.EmptyProfileParams, profiles.empty_profile),
    Route("POST", "/zcommand", commands.CommandParams, commands.run),
    Route("PATCH", "/settings", settings.UpdateParams, settings.update),
    Route("PATCH", "/settings/display", settings.UpdateParams, settings.update_by_older_name),
    Route("PATCH", "/settings/notifications", settings.UpdateParams, settings.update_by_older_name),
    Route("POST", "/users/me/api_key/regenerate", NoParams, api_keys.renew_own),
    Route("GET", "/users/me/alert_words", NoParams, alert_words.alert_words),
    Route("POST", "/users/me/alert_words", alert_words.WordsParams, alert_words.add),
    Route("DELETE", "/users/me/alert_words", alert_words.WordsParams, alert_words.remove),
    Route("POST", "/users/me/onboarding_steps", onboarding.StepParams, onboarding.finish),
    Route(
        "POST",
        "/users/me/apns_device_token",
        push_devices.AppleTokenParams,
        push_devices.add_apple_device,
    ),
    Route(
        "DELETE",
        "/users/me/apns_device_token",
        push_devices.TokenParams,
        push_devices.remove_apple_device,
    ),
    Route(
        "POST",
        "/users/me/android_gcm_reg_id",
        push_devices.TokenParams,
        push_devices.add_android_device,
    ),
    Route(
        "DELETE",
        "/users/me/android_gcm_reg_id",
        push_devices.TokenParams,
        push_devices.remove_android_device,
    ),
    RawRoute(
        "GET",
        "/avatar/{email_or_id}",
        avatars.UserPictureParams,
        avatars.show,
        auth=Auth.OPTIONAL,
        by_cookie=True,
        prefix="",
        answers=_ANY,
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
        answers=_ANY,
        lane=Lane.FILES,
    ),
    RawRoute(
        "GET",
        "/user_avatars/{realm_id:int}/{name}",
        avatars.PictureParams,
        avatars.picture,
        auth=Auth.NONE,
        prefix="",
        answers="image/png",
        lane=Lane.FILES,
        refuse=uploads.refuse,
    ),
    RawRoute("POST", "/users/me/avatar", NoParams, avatars.upload, body=FORM),
    Route("DELETE", "/users/me/avatar", NoParams, avatars.remove),
)
