"""Scenes about accounts: deactivation and reactivation."""

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
