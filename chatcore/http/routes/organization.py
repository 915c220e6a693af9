"""The organization, its settings and lists."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.organization.audit import list_audit_log
from chatcore.application.organization.custom_emoji import deactivate_emoji
from chatcore.application.organization.deactivation import deactivate_organization
from chatcore.application.organization.domains import add_domain, remove_domain, update_domain
from chatcore.application.organization.linkifiers import (
    add_linkifier,
    remove_linkifier,
    reorder_linkifiers,
    update_linkifier,
)
from chatcore.application.organization.playgrounds import add_playground, remove_playground
from chatcore.application.organization.profile_fields import remove_field, reorder_fields
from chatcore.application.organization.video_calls import new_call
from chatcore.http.bodies.reading import MULTIPART
from chatcore.http.endpoints.organization import (
    custom_emoji,
    domains,
    linkifiers,
    manifest,
    pictures,
    profile_fields,
    server_settings,
    settings,
    user_defaults,
    video_calls,
)
from chatcore.http.endpoints.organization.answers import AuditAnswer, CallAnswer, NewIdAnswer
from chatcore.http.operations import operation
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, RawRoute, Route
from chatcore.http.response import ANY
from chatcore.http.routes.files import file_route
from chatcore.runtime.admission import Lane

DOMAIN: Final = {"name": "domain"}
LINKIFIER: Final = {"linkifier_id": "filter_id"}

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/server_settings", NoParams, server_settings.settings, auth=Auth.NONE, at_every_host=True),
    Route("PATCH", "/realm", settings.UpdateParams, settings.update, of_administrators=True),
    Route(
        "PATCH",
        "/realm/user_settings_defaults",
        user_defaults.UpdateUserDefaultsParams,
        user_defaults.update,
        of_administrators=True,
    ),
    operation(
        "GET",
        "/calls/bigbluebutton/create",
        new_call,
        CallAnswer,
        names={"raw_name": "meeting_name", "is_voice_only": "voice_only"},
    ),
    RawRoute(
        "GET",
        "/calls/bigbluebutton/join",
        video_calls.JoinParams,
        video_calls.join,
        by_cookie=True,
        prefix="",
        answers=ANY,
        refuse=video_calls.refuse,
    ),
    Route("POST", "/calls/zoom/create", video_calls.ZoomParams, video_calls.create_on_zoom),
    operation("GET", "/audit", list_audit_log, AuditAnswer, of_administrators=True),
    Route("GET", "/realm/domains", NoParams, domains.list_domains),
    operation("POST", "/realm/domains", add_domain, names=DOMAIN, of_administrators=True),
    operation("PATCH", "/realm/domains/{domain}", update_domain, names=DOMAIN, of_administrators=True),
    operation("DELETE", "/realm/domains/{domain}", remove_domain, names=DOMAIN, of_administrators=True),
    RawRoute(
        "GET",
        "/manifest.webmanifest",
        NoParams,
        manifest.show_manifest,
        auth=Auth.NONE,
        prefix="",
        answers=manifest.MEDIA_TYPE,
        lane=Lane.FILES,
    ),
    RawRoute("GET", "/realm/icon", NoParams, pictures.show_icon, answers=ANY),
    RawRoute("POST", "/realm/icon", NoParams, pictures.upload_icon, body=MULTIPART, of_administrators=True),
    Route("DELETE", "/realm/icon", NoParams, pictures.remove_icon, of_administrators=True),
    RawRoute("GET", "/realm/logo", pictures.LogoParams, pictures.show_logo, answers=ANY),
    RawRoute(
        "POST",
        "/realm/logo",
        pictures.UploadLogoParams,
        pictures.upload_logo,
        body=MULTIPART,
        of_administrators=True,
    ),
    Route("DELETE", "/realm/logo", pictures.LogoParams, pictures.remove_logo, of_administrators=True),
    file_route(
        "/user_avatars/{realm_id:int}/realm/{file_name}",
        pictures.PictureParams,
        pictures.picture,
        auth=Auth.NONE,
    ),
    Route(
        "POST",
        "/realm/test_welcome_bot_custom_message",
        settings.WelcomeParams,
        settings.try_welcome,
        of_administrators=True,
    ),
    operation("POST", "/realm/deactivate", deactivate_organization),
    Route("GET", "/realm/linkifiers", NoParams, linkifiers.list_linkifiers),
    operation(
        "PATCH",
        "/realm/linkifiers",
        reorder_linkifiers,
        names={"ordered_ids": "ordered_linkifier_ids"},
        of_administrators=True,
    ),
    operation("POST", "/realm/filters", add_linkifier, NewIdAnswer, of_administrators=True),
    operation(
        "PATCH", "/realm/filters/{filter_id:int}", update_linkifier, names=LINKIFIER, of_administrators=True
    ),
    operation(
        "DELETE", "/realm/filters/{filter_id:int}", remove_linkifier, names=LINKIFIER, of_administrators=True
    ),
    operation(
        "POST",
        "/realm/playgrounds",
        add_playground,
        NewIdAnswer,
        names={"language": "highlighter_language"},
        of_administrators=True,
    ),
    operation("DELETE", "/realm/playgrounds/{playground_id:int}", remove_playground, of_administrators=True),
    Route("GET", "/realm/profile_fields", NoParams, profile_fields.list_profile_fields),
    Route(
        "POST",
        "/realm/profile_fields",
        profile_fields.CreateProfileFieldParams,
        profile_fields.create_profile_field,
        of_administrators=True,
    ),
    operation("PATCH", "/realm/profile_fields", reorder_fields, of_administrators=True),
    Route(
        "PATCH",
        "/realm/profile_fields/{field_id:int}",
        profile_fields.UpdateProfileFieldParams,
        profile_fields.update_profile_field,
        of_administrators=True,
    ),
    operation("DELETE", "/realm/profile_fields/{field_id:int}", remove_field, of_administrators=True),
    Route("GET", "/realm/emoji", NoParams, custom_emoji.list_emoji),
    RawRoute("POST", "/realm/emoji/{emoji_name}", custom_emoji.NameParams, custom_emoji.add, body=MULTIPART),
    operation("DELETE", "/realm/emoji/{emoji_name}", deactivate_emoji, names={"name": "emoji_name"}),
    file_route(
        "/user_avatars/{realm_id:int}/emoji/images/{file_name}",
        custom_emoji.PictureParams,
        custom_emoji.picture,
        auth=Auth.NONE,
    ),
    file_route(
        "/user_avatars/{realm_id:int}/emoji/images/still/{file_name}",
        custom_emoji.PictureParams,
        custom_emoji.still,
        auth=Auth.NONE,
    ),
)
