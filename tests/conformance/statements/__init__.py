"""Statements of the specification in short words of our own: an id for each, grouped in the same chapters."""

from collections.abc import Mapping

from tests.conformance.statements.authentication import AUTHENTICATION
from tests.conformance.statements.conventions import CONVENTIONS
from tests.conformance.statements.endpoints import ENDPOINTS
from tests.conformance.statements.errors import ERRORS
from tests.conformance.statements.events import EVENTS
from tests.conformance.statements.limits import LIMITS
from tests.conformance.statements.resources import RESOURCES
from tests.conformance.statements.security import SECURITY
from tests.conformance.statements.states import STATES
from tests.conformance.statements.versioning import VERSIONING

CHAPTERS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "Conventions": CONVENTIONS,
    "Resources and their fields": RESOURCES,
    "States and transitions": STATES,
    "Endpoints": ENDPOINTS,
    "Authentication": AUTHENTICATION,
    "Events": EVENTS,
    "Errors": ERRORS,
    "Limits": LIMITS,
    "Versioning": VERSIONING,
    "Security": SECURITY,
}

STATEMENTS: Mapping[str, str] = {
    key: said for groups in CHAPTERS.values() for rows in groups.values() for key, said in rows.items()
}
