"""Sessions of browsers."""

from typing import TypedDict

from chatcore.domain.people.sessions import BrowserSession


class SessionObject(TypedDict):
    id: int
    date_created: int
    last_used: int
    user_agent: str
    ip_address: str
    is_current: bool


def session_object(session: BrowserSession, *, is_current: bool) -> SessionObject:
    return {
        "id": session.id,
        "date_created": session.began_at,
        "last_used": session.used_at,
        "user_agent": session.user_agent,
        "ip_address": session.address,
        "is_current": is_current,
    }
