"""Changes of the organization by somebody whose role was another when the request began."""

from collections.abc import Callable

import pytest

from chatcore.application.organization.domains import add_domain, remove_domain, update_domain
from chatcore.application.organization.pictures import remove_picture
from chatcore.application.organization.settings import change_organization
from chatcore.application.organization.user_defaults import change_user_defaults
from chatcore.application.services import Services
from chatcore.domain.errors import InsufficientRole
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.pictures import PictureKind
from chatcore.domain.roles import Role
from tests.worlds.organization import World

CHANGES: dict[str, Callable[[Services, Actor], object]] = {
    "a setting": lambda svc, by: change_organization(svc, {"name": "Salad Society"}, by=by),
    "nothing": lambda svc, by: change_organization(svc, {}, by=by),
    "a default": lambda svc, by: change_user_defaults(svc, by, {"enter_sends": True}),
    "a picture": lambda svc, by: remove_picture(svc, by, PictureKind.ICON),
}
OF_OWNERS: dict[str, Callable[[Services, Actor], object]] = {
    "a setting of owners": lambda svc, by: change_organization(svc, {"invite_required": False}, by=by),
    "another domain": lambda svc, by: add_domain(svc, by, "mail.example", allow_subdomains=False),
    "a domain": lambda svc, by: update_domain(svc, by, "mail.example", allow_subdomains=True),
    "a domain less": lambda svc, by: remove_domain(svc, by, "mail.example"),
}


@pytest.mark.parametrize("name", [*CHANGES, *OF_OWNERS])
def test_a_former_owner_changes_nothing(world: World, name: str) -> None:
    former = world.actor("olga")
    world.change_user("olga", role=Role.MEMBER if name in CHANGES else Role.ADMINISTRATOR)
    with pytest.raises(InsufficientRole):
        {**CHANGES, **OF_OWNERS}[name](world.svc, former)
