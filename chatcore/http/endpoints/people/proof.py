"""The proof that a request of a browser's session needs beside the cookie, if it asks for what lasts."""

from typing import Annotated, TypeAlias

from chatcore.application.arguments import about
from chatcore.application.people import sessions
from chatcore.application.services import Services
from chatcore.http.parameters.declaring import SECRET, Text
from chatcore.http.pipeline.auth import Caller

OwnPassword: TypeAlias = Annotated[
    Text,
    about("The caller's password; needed in a browser's session some minutes after its login."),
    SECRET,
]


def require_proof(svc: Services, caller: Caller, password: str, *, parameter: str = "own_password") -> None:
    """Refuse a caller whom only a cookie identifies; the *parameter* has the password.

    :raises ProofRequired: as `sessions.require_proof` says
    """
    sessions.require_proof(svc, caller.actor, caller.session, password, parameter=parameter)
