"""What several endpoints of the organization answer."""

from chatcore.http.routing import Answer


class IdAnswer(Answer, frozen=True, kw_only=True):
    id: int
