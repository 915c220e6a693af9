"""Sessions of browsers: a token by which somebody is known where a browser cannot send a key.

Nothing is kept of a session. Its token holds whose it is, the version of the key, and when it began; so it
ends with the key and with the password, which take another version, and is worth nothing while the account
is deactivated. Which requests it counts for is decided in `chatcore.http.sessions`.
"""

from dataclasses import dataclass

from chatcore.application.people.accounts import user_with_password
from chatcore.application.services import Services
from chatcore.application.signing import signed, signed_text
from chatcore.domain.groups import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.users import api_email
from chatcore.storage import Snapshot

PURPOSE = "session"


@dataclass(frozen=True, slots=True)
class Session:
    """What a browser is given when somebody has logged in."""

    user_id: UserId
    email: str
    token: str


def begin(svc: Services, name: str, password: str, address: str = "") -> Session:
    """A session for whoever knows the password; *address* is the network address that the try comes from.

    :raises ChatError: as `chatcore.application.people.accounts.log_in` does
    """
    user = user_with_password(svc, name, password, address)
    token = signed(svc, PURPOSE, f"{user.id}:{user.key_version}:{svc.now}")
    return Session(user.id, api_email(user, svc.settings.host), token)


def actor_of(svc: Services, token: str) -> Actor | None:
    """Whose session this is, if it still is one."""
    text = signed_text(svc, PURPOSE, token)
    if text is None:
        return None
    number, key_version, began_at = map(int, text.split(":"))
    if svc.now >= began_at + svc.limits.session_lifetime:
        return None
    user_id = UserId(number)

    def find(snapshot: Snapshot) -> Actor | None:
        user = snapshot.users.find(user_id)
        if user is None or user.key_version != key_version:
            return None
        return snapshot.users.actors([user_id], svc.now).get(user_id)

    return svc.storage.read(find)
