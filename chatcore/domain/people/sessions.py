"""Sessions of browsers: how long they last."""

from dataclasses import dataclass
from typing import Final

from chatcore.domain.errors import ChatError, NotFound
from chatcore.domain.ids import SessionId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.times import MAX_CLOCK_DIFFERENCE

MAX_USER_AGENT_LENGTH: Final = 300
USE_INTERVAL: Final = 3600
"""Seconds between two notes that a session was used: most requests of a browser write nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserSession:
    id: SessionId
    user_id: UserId
    began_at: int
    used_at: int
    user_agent: str
    """The name that the browser gave itself at the login."""
    address: str
    """The network address of the latest use that was noted."""


NOT_STORED: Final = SessionId(0)
"""The id of a session that has none yet."""
PROOF_SECONDS: Final = 300
"""Seconds after a login during which whoever uses the browser counts as the person who logged in."""


class ProofRequired(ChatError):
    """Somebody at a browser has to show that they are the person whose session it has: by the password, or by
    logging in again. `var_name` names the parameter for the password.
    """

    code = "PROOF_REQUIRED"
    status = 403

    def __init__(self, parameter: str) -> None:
        super().__init__("Give your password for this, or log in again.", var_name=parameter)


def is_login_recent(session: BrowserSession, now: int) -> bool:
    """Whether the login was a moment ago; one in the future, before the clock was set back, was not."""
    return session.began_at <= now < session.began_at + PROOF_SECONDS


def may_have_begun_by(session: BrowserSession, moment: float, now: int) -> bool:
    """Whether the login may have been before a *moment* by another machine's clock (UNIX seconds); one in the
    future was made before the clock was set back.
    """
    return session.began_at <= moment + MAX_CLOCK_DIFFERENCE or session.began_at > now


class NoSuchSession(NotFound):
    """The single error for a session that does not exist or belongs to another user."""

    def __init__(self) -> None:
        super().__init__("Session does not exist.")


def is_valid(session: BrowserSession, now: int, limits: Limits) -> bool:
    """Whether a stored session counts: it ends some time after its login, and earlier without use."""
    return now < min(session.began_at + limits.session_lifetime, session.used_at + limits.session_idle)


def is_note_due(session: BrowserSession, now: int) -> bool:
    return now >= session.used_at + USE_INTERVAL


def shown_user_agent(raw: str) -> str:
    """Return the name of a browser in the form that is stored."""
    return "".join(character for character in raw if character.isprintable())[:MAX_USER_AGENT_LENGTH]
