"""Scenes about accounts: deactivation and reactivation."""

from chatcore.application.invitations.joining import Newcomer, join
from chatcore.application.people.accounts import NewUser, create_user
from tests.worlds.groups import fills, just
from tests.worlds.scenes.stage import Stage


class Accounts(Stage):
    """Scenes around mona: she is in channels and groups, permissions name her, and she owns a bot."""

    def a_user_is_everywhere(self) -> None:
        mona = self.world["mona"]
        self.ada.joins("lunch", "secret", "vault", "cellar", principals=[self.mona])
        self.ada.joins("pantry", invite_only=True, can_subscribe_group=just(self.mona, self.gus))
        self.ada.joins("larder", can_remove_subscribers_group=just(self.mona, self.gus))
        fills(self.ada, self.made["cooks"], add=[self.mona])
        mona.post("/users/me/status", status_text="here")
        mona.post("/users/me/presence", status="active")
        bot = NewUser(email="bot@example.org", full_name="Bot", is_bot=True, bot_owner_id=self.mona)
        self.made["bot"] = create_user(self.world.svc, bot).user_id
        self.ada.joins("lunch", principals=[self.made["bot"]])

    def an_account_is_deactivated(self) -> None:
        self.olga.delete(f"/users/{self.mona}")

    def a_bot_gets_another_owner(self) -> None:
        self.olga.post(f"/users/{self.made['bot']}/reactivate")

    def an_account_is_reactivated(self) -> None:
        self.olga.post(f"/users/{self.mona}/reactivate")

    def people_are_invited(self) -> None:
        self.olga.post(
            "/users/me/subscriptions",
            subscriptions=[{"name": "porch"}],
            principals=[self.olga.id, self.gus.id],
            invite_only=True,
        )
        channels = [self.world.id("lunch"), self.olga.get("/get_stream_id", stream="porch")["stream_id"]]
        for role in (400, 600):
            offer = {"stream_ids": channels, "group_ids": [self.made["cooks"]], "invite_as": role}
            made = self.olga.post("/invites/multiuse", **offer, include_realm_default_subscriptions=True)
            token = made["invite_link"].rpartition("/")[2]
            email = f"invited{role}@example.org"
            newcomer = Newcomer(full_name=f"Invited {role}", email=email, password="correct horse")
            join(self.world.svc, token, newcomer)
