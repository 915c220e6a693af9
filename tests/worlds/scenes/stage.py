"""An organization with all kinds of viewers, and the objects made in it."""

from typing import Any

from chatcore.application.people.accounts import allow_email_changes
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.people.settings import RESOLVED_NOTICES
from chatcore.domain.people.users import EmailVisibility
from chatcore.domain.topics import VisibilityPolicy
from tests.worlds.groups import makes
from tests.worlds.organization import DAY, NOW, World


class Stage:
    def __init__(self, world: World, *, limited: bool = False) -> None:
        self.world = world
        self.made: dict[str, Any] = {}
        self.olga, self.ada, self.bea, self.cem, self.gus, self.robo = (
            world[name] for name in ("olga", "ada", "bea", "cem", "gus", "robo")
        )
        self.mona = world.users["mona"].id
        self._prepare(limited)

    def _prepare(self, limited: bool) -> None:
        world = self.world
        world.open_to_the_web()
        permissions = {"can_create_groups": GroupSetting.of(SystemGroup.MEMBERS, members=[self.mona])}
        if limited:
            permissions["can_access_all_users_group"] = GroupSetting.of(SystemGroup.MEMBERS)
        world.change_organization(permissions=permissions)
        allow_email_changes(world.svc, self.olga.email)
        for name, visibility in {
            "adi": EmailVisibility.NOBODY,
            "mona": EmailVisibility.ADMINISTRATORS,
            "cem": EmailVisibility.MODERATORS,
            "bea": EmailVisibility.MEMBERS,
        }.items():
            world.change_user(name, email_visibility=int(visibility))
        for name, policy in {"olga": "always", "bea": "never", "robo": "never"}.items():
            world.choose(name, **{RESOLVED_NOTICES: policy})
        world.choose("cem", automatically_follow_topics_policy=2, enable_stream_email_notifications=True)
        # `cellar` has been silent for so long that it is inactive. Many messages below precede subscriptions.
        world.add_channel("cellar", "ada", "gus", "bea", date_created=NOW - 200 * DAY)
        self.made["before"] = self.ada.says("@**all** soup", "vault", "before")
        self.ada.says("@**Bea** soup", "secret")
        self.ada.says("soup", "lunch")
        self.ada.writes("soup?", "bea", "cem")
        self.ada.joins("vault", principals=[self.cem.id])
        world.mute("cem", "vault")
        world.set_policy("bea", "secret", "quiet", VisibilityPolicy.MUTED)
        world.set_policy("bea", "lunch", "quiet", VisibilityPolicy.MUTED)
        world.set_policy("bea", "secret", "loud", VisibilityPolicy.FOLLOWED)
        self.bea.leaves("secret", "lunch")
        self.made["cooks"] = makes(self.ada, "cooks", self.ada, self.gus)
        self.made["waiters"] = makes(self.ada, "waiters", self.bea)
        self.ada.joins("kitchen", invite_only=True, can_add_subscribers_group=self.made["cooks"])
