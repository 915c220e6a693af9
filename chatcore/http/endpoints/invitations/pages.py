"""Pages on which people join, confirm an address, or choose a new password.

A link shows a page and changes nothing: programs follow the links of mails, too. Only its form does.
"""

from collections.abc import Mapping
from typing import Final

from chatcore.application.invitations import addresses, joining, passwords
from chatcore.application.invitations.joining import Newcomer
from chatcore.application.people.passwords import (
    MAX_PASSWORD_LENGTH,
    MIN_PASSWORD_LENGTH,
    check_passwords_enabled,
)
from chatcore.application.people.sessions import Browser, begin_after_joining
from chatcore.application.services import Services
from chatcore.domain.errors import MissingParameter
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.bodies.reading import texts_in_form
from chatcore.http.endpoints.sign_on.arriving import redirect, url_of_organization
from chatcore.http.pages.html import Input, LinkParams, page
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline import sessions
from chatcore.http.pipeline.auth import Caller
from chatcore.http.response import Response

MAX_FORM: Final = 20_000
"""Maximal bytes of a form."""

NAME: Final = Input("full_name", "Your name", autocomplete="name", bounds=(2, 100))
EMAIL: Final = Input("email", "Your e-mail address", "email", "email", (3, 254))
PASSWORD: Final = Input(
    "password",
    f"A password of at least {MIN_PASSWORD_LENGTH} characters",
    "password",
    "new-password",
    (MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH),
)


BY_MAIL: Final = "You will get an e-mail with a link."
WITH_SESSION: Final = "/#session"
"""The page of the web client, which knows by this fragment that it has a session: no script sees cookies."""


def _read_form(request: Incoming, *required: Input) -> Mapping[str, str]:
    """Return the fields of the form that was sent.

    :raises MissingParameter:
    """
    given = texts_in_form(request.environ, MAX_FORM)
    for field in required:
        if field.name not in given:
            raise MissingParameter(field.name)
    return given


def _read_field(request: Incoming, field: Input) -> str:
    return _read_form(request, field)[field.name]


# -- joining ----------------------------------------------------------------------------------------


def show_join(svc: Services, caller: Caller, request: Incoming, p: LinkParams) -> Response:
    """Show the page to which an invitation leads."""
    door = joining.look(svc, p.token, network_address=caller.address)
    title = f"Join {door.organization}"
    if door.confirms:
        return _asking_for_address(title)
    about_address = [] if door.email is None else [f"The address of your account will be {door.email}."]
    if not door.takes_password:
        return page(title, *about_address, "Log in at this address:", link=svc.settings.external_url)
    inputs = [NAME, PASSWORD] if door.email is not None else [NAME, EMAIL, PASSWORD]
    return page(title, *about_address, inputs=inputs, button="Join")


def join(svc: Services, caller: Caller, request: Incoming, p: LinkParams) -> Response:
    """Create the account that an invitation offers, by the form of its page; or send the mail that confirms
    the address first. With the account, the browser gets a session of it, and goes on to the chat.
    """
    if joining.look(svc, p.token, network_address=caller.address).confirms:
        joining.ask_to_join(svc, _read_field(request, EMAIL), token=p.token, network_address=caller.address)
        return _mail_was_sent()
    given = _read_form(request, NAME, PASSWORD)
    newcomer = Newcomer(
        full_name=given[NAME.name], password=given[PASSWORD.name], email=given.get(EMAIL.name, "")
    )
    user_id = joining.join(svc, p.token, newcomer, network_address=caller.address)
    former = sessions.session_in(svc, request.environ)
    browser = Browser(address=caller.address, user_agent=caller.user_agent, token=former)
    url = url_of_organization(svc, caller)
    begun = begin_after_joining(svc, user_id, browser)
    return redirect(url + WITH_SESSION, sessions.keep_session(svc, begun.token, url))


def show_ask_to_join(svc: Services, caller: Caller, request: Incoming, p: NoParams) -> Response:
    """Show the page on which people ask for a link to join, where everybody can."""
    check_passwords_enabled(svc)
    if joining.needs_invitation(svc):
        return page("Join", "You need an invitation. Ask somebody who is here already, and follow its link.")
    return _asking_for_address("Join")


def _asking_for_address(title: str) -> Response:
    return page(title, BY_MAIL, inputs=[EMAIL], button="Send the mail")


def ask_to_join(svc: Services, caller: Caller, request: Incoming, p: NoParams) -> Response:
    """Send a mail with a link to join."""
    joining.ask_to_join(svc, _read_field(request, EMAIL), network_address=caller.address)
    return _mail_was_sent()


def _mail_was_sent() -> Response:
    return page("Check your e-mail", "If this address has no account yet, a link is on its way to it.")


# -- a new address ----------------------------------------------------------------------------------


def show_confirm(svc: Services, caller: Caller, request: Incoming, p: LinkParams) -> Response:
    """Show the page to which the mail to a new address leads."""
    email = addresses.look_at_new_address(svc, p.token, network_address=caller.address)
    return page(
        "Confirm your address", f"The address of your account will be {email}.", inputs=[], button="Confirm"
    )


def confirm(svc: Services, caller: Caller, request: Incoming, p: LinkParams) -> Response:
    """Change the address of an account to the one that got the mail."""
    email = addresses.confirm_new_address(svc, p.token, network_address=caller.address)
    return page("Done", f"The address of your account is {email} now.")


# -- a new password ---------------------------------------------------------------------------------


def show_ask_for_password(svc: Services, caller: Caller, request: Incoming, p: NoParams) -> Response:
    """Show the page on which people ask for a link to a new password."""
    check_passwords_enabled(svc)
    return page("Forgotten password", BY_MAIL, inputs=[EMAIL], button="Send the mail")


def ask_for_password(svc: Services, caller: Caller, request: Incoming, p: NoParams) -> Response:
    """Send a mail with a link to a new password, if the address has an account."""
    passwords.ask_for_new_password(svc, _read_field(request, EMAIL), network_address=caller.address)
    return page("Check your e-mail", "If this address has an account, a link is on its way to it.")


def show_password(svc: Services, caller: Caller, request: Incoming, p: LinkParams) -> Response:
    """Show the page to which the mail for a new password leads."""
    email = passwords.look_at_account(svc, p.token, network_address=caller.address)
    return page("A new password", f"For the account {email}.", inputs=[PASSWORD], button="Set the password")


def choose_password(svc: Services, caller: Caller, request: Incoming, p: LinkParams) -> Response:
    """Set a new password. The account's API key and sessions end."""
    passwords.choose_password(svc, p.token, _read_field(request, PASSWORD), network_address=caller.address)
    return page("Done", "You have a new password. Log in with it:", link=url_of_organization(svc, caller))
