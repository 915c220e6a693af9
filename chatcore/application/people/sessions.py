"""Sessions of browsers: tokens that identify a user where a browser cannot send a key.

The store holds nothing about a session. Its token contains the user, the version of the key, and the time of
its start; so it ends with the key and with the password, which change the version, and is invalid while the
account is deactivated. `chatcore.http.sessions` decides for which requests it counts.
"""

from dataclasses import dataclass

from chatcore.application.people.accounts import user_for_development, user_with_password
from chatcore.application.services import Services
from chatcore.application.signing import signed, signed_text
from chatcore.application.visibility.viewers import require_open
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.people.users import User, api_email
from chatcore.storage import Snapshot

PURPOSE = "session"


@dataclass(frozen=True, slots=True)
class Session:
    """The session of a browser after a login."""

    user_id: UserId
    email: str
    token: str


def begin(svc: Services, name: str, password: str, address: str = "") -> Session:
    """Create a session in exchange for the password; *address* is the network address of the attempt.

    :raises ChatError: as `chatcore.application.people.accounts.log_in` does
    """
    return _session(svc, user_with_password(svc, name, password, address))


def begin_for_development(svc: Services, name: str) -> Session:
    """Create a session of any user, on a development server.

    :raises BadRequest, AuthenticationFailed, UserDeactivated: as `user_for_development` does
    """
    return _session(svc, user_for_development(svc, name))


def _session(svc: Services, user: User) -> Session:
    token = signed(svc, PURPOSE, f"{user.id}:{user.key_version}:{svc.now}")
    return Session(user.id, api_email(user, svc.settings.host), token)


def actor_of(svc: Services, token: str) -> Actor | None:
    """Return the actor of a session, or None if the session is not valid.

    :raises OrganizationDeactivated: it is valid, but the whole organization is deactivated
    """
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
        require_open(snapshot)
        return snapshot.users.actors([user_id], svc.now).get(user_id)

    return svc.storage.read(find)
