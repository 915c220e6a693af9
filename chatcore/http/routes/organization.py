"""The organization, its settings and lists."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.admission import Lane
from chatcore.http.auth import Auth
from chatcore.http.bodies.multipart import FORM
from chatcore.http.endpoints.files import uploads
from chatcore.http.endpoints.organization import (
    custom_emoji,
    domains,
    linkifiers,
    pictures,
    playgrounds,
    profile_fields,
    server_settings,
    settings,
    user_defaults,
)
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.routing import AnyRoute, RawRoute, Route

_ANY = "*/*"

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/server_settings", NoParams, server_settings.settings, auth=Auth.NONE, at_every_host=True),
    Route(
        "PATCH",
        "/realm",
        settings.UpdateParams,
        settings.update,
        of_administrators=True,
    ),
    Route(
        "PATCH",
        "/realm/user_settings_defaults",
        user_defaults.UpdateUserDefaultsParams,
        user_defaults.update,
        of_administrators=True,
    ),
    Route("GET", "/realm/domains", NoParams, domains.list_domains),
    Route("POST", "/realm/domains", domains.DomainWithSubdomainsParams, domains.add, of_administrators=True),
    Route(
        "PATCH",
        "/realm/domains/{domain}",
        domains.DomainWithSubdomainsParams,
        domains.update,
        of_administrators=True,
    ),
    Route("DELETE", "/realm/domains/{domain}", domains.DomainParams, domains.remove, of_administrators=True),
    RawRoute("GET", "/realm/icon", NoParams, pictures.show_icon, answers=_ANY),
    RawRoute("POST", "/realm/icon", NoParams, pictures.upload_icon, body=FORM, of_administrators=True),
    Route("DELETE", "/realm/icon", NoParams, pictures.remove_icon, of_administrators=True),
    RawRoute("GET", "/realm/logo", pictures.LogoParams, pictures.show_logo, answers=_ANY),
    RawRoute(
        "POST",
        "/realm/logo",
        pictures.UploadLogoParams,
        pictures.upload_logo,
        body=FORM,
        of_administrators=True,
    ),
    Route("DELETE", "/realm/logo", pictures.LogoParams, pictures.remove_logo, of_administrators=True),
    RawRoute(
        "GET",
        "/user_avatars/{realm_id:int}/realm/{file_name}",
        pictures.PictureParams,
        pictures.picture,
        auth=Auth.NONE,
        prefix="",
        answers=_ANY,
        lane=Lane.FILES,
        refuse=uploads.refuse,
    ),
    Route(
        "POST",
        "/realm/test_welcome_bot_custom_message",
        settings.WelcomeParams,
        settings.try_welcome,
        of_administrators=True,
    ),
    Route("POST", "/realm/deactivate", NoParams, settings.deactivate),
    Route("GET", "/realm/linkifiers", NoParams, linkifiers.list_linkifiers),
    Route(
        "PATCH",
        "/realm/linkifiers",
        linkifiers.ReorderLinkifiersParams,
        linkifiers.reorder_linkifiers,
        of_administrators=True,
    ),
    Route(
        "POST",
        "/realm/filters",
        linkifiers.AddLinkifierParams,
        linkifiers.add_linkifier,
        of_administrators=True,
    ),
    Route(
        "PATCH",
        "/realm/filters/{filter_id:int}",
        linkifiers.UpdateLinkifierParams,
        linkifiers.update_linkifier,
        of_administrators=True,
    ),
    Route(
        "DELETE",
        "/realm/filters/{filter_id:int}",
        linkifiers.RemoveLinkifierParams,
        linkifiers.remove_linkifier,
        of_administrators=True,
    ),
    Route(
        "POST",
        "/realm/playgrounds",
        playgrounds.AddPlaygroundParams,
        playgrounds.add_playground,
        of_administrators=True,
    ),
    Route(
        "DELETE",
        "/realm/playgrounds/{playground_id:int}",
        playgrounds.RemovePlaygroundParams,
        playgrounds.remove_playground,
        of_administrators=True,
    ),
    Route("GET", "/realm/profile_fields", NoParams, profile_fields.list_profile_fields),
    Route(
        "POST",
        "/realm/profile_fields",
        profile_fields.CreateProfileFieldParams,
        profile_fields.create_profile_field,
        of_administrators=True,
    ),
    Route(
        "PATCH",
        "/realm/profile_fields",
        profile_fields.ReorderProfileFieldsParams,
        profile_fields.reorder_profile_fields,
        of_administrators=True,
    ),
    Route(
        "PATCH",
        "/realm/profile_fields/{field_id:int}",
        profile_fields.UpdateProfileFieldParams,
        profile_fields.update_profile_field,
        of_administrators=True,
    ),
    Route(
        "DELETE",
        "/realm/profile_fields/{field_id:int}",
        profile_fields.RemoveProfileFieldParams,
        profile_fields.remove_profile_field,
        of_administrators=True,
    ),
    Route("GET", "/realm/emoji", NoParams, custom_emoji.list_emoji),
    RawRoute("POST", "/realm/emoji/{emoji_name}", custom_emoji.NameParams, custom_emoji.add, body=FORM),
    Route("DELETE", "/realm/emoji/{emoji_name}", custom_emoji.NameParams, custom_emoji.deactivate),
    RawRoute(
        "GET",
        "/user_avatars/{realm_id:int}/emoji/images/{file_name}",
        custom_emoji.PictureParams,
        custom_emoji.picture,
        auth=Auth.NONE,
        prefix="",
        answers=_ANY,
        lane=Lane.FILES,
        refuse=uploads.refuse,
    ),
    RawRoute(
        "GET",
        "/user_avatars/{realm_id:int}/emoji/images/still/{file_name}",
        custom_emoji.PictureParams,
        custom_emoji.still,
        auth=Auth.NONE,
        prefix="",
        answers=_ANY,
        lane=Lane.FILES,
        refuse=uploads.refuse,
    ),
)
