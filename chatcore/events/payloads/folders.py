"""Channel folders and navigation views."""

from typing import Literal, NotRequired, TypedDict

from chatcore.domain.channels.folders import Folder
from chatcore.domain.channels.navigation_views import NavigationView
from chatcore.events.payloads.parts import Payload, Values, object_of

__all__ = [
    "FolderAddEvent",
    "FolderReorderEvent",
    "FolderUpdateEvent",
    "NavigationViewAddEvent",
    "NavigationViewRemoveEvent",
    "NavigationViewUpdateEvent",
]


class FolderObject(TypedDict):
    """A channel folder."""

    id: int
    name: str
    description: str
    rendered_description: str
    date_created: int
    creator_id: int | None
    is_archived: bool
    order: int


def folder_object(folder: Folder) -> FolderObject:
    return object_of(FolderObject, folder)


class NavigationViewObject(TypedDict):
    """A navigation view; built-in ones have no name."""

    fragment: str
    is_pinned: bool
    name: NotRequired[str]


def navigation_view_object(view: NavigationView) -> NavigationViewObject:
    sent: NavigationViewObject = {"fragment": view.fragment, "is_pinned": view.is_pinned}
    if view.name is not None:
        sent["name"] = view.name
    return sent


class FolderAddEvent(Payload):
    type: Literal["channel_folder"]
    op: Literal["add"]
    channel_folder: FolderObject


class FolderUpdateEvent(Payload):
    type: Literal["channel_folder"]
    op: Literal["update"]
    channel_folder_id: int
    data: Values


class FolderReorderEvent(Payload):
    type: Literal["channel_folder"]
    op: Literal["reorder"]
    order: list[int]


class NavigationViewAddEvent(Payload):
    type: Literal["navigation_view"]
    op: Literal["add"]
    navigation_view: NavigationViewObject


class NavigationViewUpdateEvent(Payload):
    type: Literal["navigation_view"]
    op: Literal["update"]
    fragment: str
    data: Values


class NavigationViewRemoveEvent(Payload):
    type: Literal["navigation_view"]
    op: Literal["remove"]
    fragment: str
