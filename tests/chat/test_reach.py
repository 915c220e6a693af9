"""Everything that HTTP clients can do, a program can do with `Chat`: both must name the same use cases."""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import typing
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

import chatcore.chat
import chatcore.http
from chatcore import open_chat
from chatcore.application import measuring, units
from chatcore.application.bots import managing
from chatcore.application.events import queues
from chatcore.application.events.long_polls import wait_for_events
from chatcore.application.files import foreign_pictures, resumable
from chatcore.application.invitations import addresses, inviting, joining, listing, passwords
from chatcore.application.messages import sending
from chatcore.application.messages.fetching import Range
from chatcore.application.organization import custom_emoji, video_calls, ways_in
from chatcore.application.organization.server_settings import server_settings
from chatcore.application.people import credentials, deactivation, logins, sessions, settings
from chatcore.application.people.passwords import check_passwords_enabled
from chatcore.application.people.statuses import NewStatus
from chatcore.application.push import do_not_disturb
from chatcore.application.push import subscriptions as pushes
from chatcore.application.sign_on import arriving, entering, leaving, openid, provisioning
from chatcore.application.units import ReadOnly, UnitOfWork
from chatcore.chat.part import Part
from chatcore.events.payloads import event as payloads
from chatcore.events.queue import Registration

OF_HTTP_ALONE: dict[Callable[..., Any], str] = {
    logins.authenticate_bot: "`users.actor` gives a bot, and `bots.receive` posts as it",
    **dict.fromkeys(
        (
            provisioning.add_group,
            provisioning.add_person,
            provisioning.change_group,
            provisioning.change_person,
            provisioning.deactivate_group,
            provisioning.deactivate_person,
            provisioning.get_group,
            provisioning.get_person,
            provisioning.list_groups,
            provisioning.list_people,
            provisioning.require_provisioner,
        ),
        "what a login service does by SCIM: `users` and `groups` do it for programs",
    ),
    logins.log_in_for_development: "`users.credentials` gives the key of anybody",
    custom_emoji.max_picture_bytes: "bounds a form before it is read; `emoji.add` bounds the picture",
    check_passwords_enabled: "pages that ask for one; `mail` and `invitations` refuse it themselves",
    ways_in.passwords_among: "the older form of the setting `password_auth_enabled`",
    resumable.create: "a protocol for lines that break; `files.upload` takes a file",
    resumable.progress: "see above",
    resumable.receive: "see above",
    resumable.terminate: "see above",
    video_calls.address_for: "where a browser is sent on",
    video_calls.new_call: "a link for browsers",
    sessions.find_actor: "cookies of browsers; `users.log_in` proves a password",
    sessions.begin: "see above",
    sessions.require_proof: "see above",
    deactivation.would_take_over: "whether a browser needs a proof",
    credentials.renew_own_key_in_session: "see above",
    sessions.begin_for_development: "see above",
    sessions.begin_after_joining: "see above",
    joining.needs_invitation: "`organization.get` has it",
    sessions.end_of_browser: "see above",
    logins.users_for_development: "`users.list` has all users",
    entering.log_in_as: "a program knows its people: `users.create` and `users.credentials`",
    entering.begin_session_as: "see above, and `users.begin_session`",
    **dict.fromkeys(
        [
            openid.begin,
            openid.finish,
            arriving.require_destination,
            arriving.address_in_app,
            leaving.page_to_log_out,
            leaving.address_to_log_out,
            leaving.verify_logout,
            leaving.end_sessions_of,
        ],
        "between browsers and login services",
    ),
    foreign_pictures.foreign_picture: "for browsers that show the HTML of messages",
    pushes.own_pushes: "browsers subscribe to pushes",
    pushes.subscribe: "see above",
    pushes.unsubscribe: "see above",
    do_not_disturb.own_times: "of notices in browsers",
    do_not_disturb.set_do_not_disturb: "see above",
    measuring.read_measurements: "for the page of metrics of a server",
}
"""Use cases that routes take and `Chat` need not reach, and why."""

LEFT_OUT: dict[Callable[..., Any], set[str]] = {
    NewStatus: {"away"},  # only people themselves say that they are not there
    Range: {"use_first_unread_anchor"},  # an older way to say anchor="first_unread"
    units.read: {"kwargs"},  # of what it reads
    wait_for_events: {"turn", "suspension"},  # of a request, and of a server
    sending.SendToChannel: {"files"},  # of a text that others wrote
    sending.SendDirect: {"files"},
    queues.register: {"organization_url", "omitted"},  # of a request
    Registration: {"has_keys"},  # of a browser
    managing.own_bots: {"with_keys"},  # of a browser
    settings.change_own: {"session"},  # of a browser, which asks
    sessions.list_own: {"token"},
    sessions.end_others: {"token"},
    server_settings: {"organization_url"},
    listing.list_invitations: {"organization_url"},
    inviting.make_link: {"organization_url"},
    joining.look: {"network_address"},  # from which a request came
    joining.join: {"network_address"},
    joining.ask_to_join: {"network_address"},
    addresses.look_at_new_address: {"network_address"},
    addresses.confirm_new_address: {"network_address"},
    passwords.look_at_account: {"network_address"},
    passwords.ask_for_new_password: {"network_address"},
    passwords.choose_password: {"network_address"},
}
"""Parameters that the methods of `Chat` do not have."""

PARTS = tuple(part for base in Part.__subclasses__() for part in base.__subclasses__() or [base])
"""The parts of `Chat`; a class with methods that are made is the base of the one with the others."""

PAGE = (Path(__file__).parents[2] / "docs" / "embedding.md").read_text()


def modules_of(package: ModuleType) -> Iterator[tuple[ModuleType, ast.Module]]:
    names = [found.name for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
    for module in [package, *map(importlib.import_module, names)]:
        assert module.__file__ is not None
        yield module, ast.parse(Path(module.__file__).read_text())


def named_by(node: ast.expr, module: ModuleType) -> Any:
    """The value of a name, or of an attribute of one, in the module."""
    if isinstance(node, ast.Name):
        return vars(module).get(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return getattr(vars(module).get(node.value.id), node.attr, None)
    return None


def is_use_case(found: Any) -> bool:
    if isinstance(found, UnitOfWork | ReadOnly):
        return True
    return (
        inspect.isfunction(found)
        and found.__module__.startswith("chatcore.application.")
        and next(iter(inspect.signature(found).parameters), "") == "svc"
    )


def is_command(found: Any) -> bool:
    return inspect.isclass(found) and (dataclasses.is_dataclass(found) or issubclass(found, msgspec.Struct))


def named_in(package: ModuleType) -> set[Callable[..., Any]]:
    """The use cases that the code of a package names."""
    return {
        found
        for module, code in modules_of(package)
        for node in ast.walk(code)
        if isinstance(node, ast.expr) and is_use_case(found := named_by(node, module))
    }


def full_name(found: Callable[..., Any]) -> str:
    return f"{found.__module__}.{found.__name__}"


def test_parameters_of_routes_are_reached_by_chat() -> None:
    taken = named_in(chatcore.http)
    missing = taken - named_in(chatcore.chat) - OF_HTTP_ALONE.keys()
    names = ", ".join(sorted(map(full_name, missing)))
    assert not names, f"give each of these a line in a part of chatcore.chat, or here a reason: {names}"
    assert len(taken) > 80


def test_exceptions_for_http_alone_are_still_needed() -> None:
    assert OF_HTTP_ALONE.keys() <= named_in(chatcore.http) - named_in(chatcore.chat)


# -- methods that are written out --------------------------------------------------------------------


def calls() -> Iterator[tuple[Callable[..., Any], ast.Call, str]]:
    """The calls of use cases and the commands made for them, with the docstring of the method they are in."""
    for module, code in modules_of(chatcore.chat):
        for method in [node for node in ast.walk(code) if isinstance(node, ast.FunctionDef)]:
            for node in ast.walk(ast.Module(method.body, [])):
                if isinstance(node, ast.Call):
                    found = named_by(node.func, module)
                    if is_use_case(found) or is_command(found):
                        yield found, node, ast.get_docstring(method) or ""


def test_methods_have_all_parameters_of_the_use_cases_they_call() -> None:
    forgotten = {}
    for found, call, _ in calls():
        parameters = [*inspect.signature(found).parameters]
        given = {*parameters[: len(call.args)], *(keyword.arg for keyword in call.keywords)}
        if rest := {*parameters} - given - LEFT_OUT.get(found, set()):
            forgotten[full_name(found)] = rest
    assert forgotten == {}


def errors_named_in(docstring: str | None) -> set[str]:
    found = re.findall(r":raises ([\w, ]+):", docstring or "")
    return {name for names in found for name in names.split(", ")}


def test_methods_name_the_errors_of_the_use_cases_they_call() -> None:
    missing = {
        full_name(found): rest
        for found, _, docstring in calls()
        if is_use_case(found) and (rest := errors_named_in(found.__doc__) - errors_named_in(docstring))
    }
    assert missing == {}


# -- descriptions ------------------------------------------------------------------------------------


def test_the_page_lists_every_noun_and_method() -> None:
    rows = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| `")]
    listed = {part.strip("`"): {*re.findall(r"`(\w+)`", methods)} for part, methods, _ in rows}
    with open_chat() as chat:
        parts = {name: type(part) for name, part in vars(chat).items() if isinstance(part, Part)}
    assert {*parts.values()} == {*PARTS}
    assert listed == {name: {*methods_of(part)} for name, part in parts.items()}


def methods_of(part: type) -> dict[str, Callable[..., Any]]:
    return {name: method for name, method in inspect.getmembers(part, inspect.isfunction) if name[0] != "_"}


def classes_in(annotation: Any) -> Iterator[type[Any]]:
    """The classes of the project that an annotation names."""
    if inspect.isclass(annotation) and annotation.__module__.startswith("chatcore."):
        yield annotation
    for part in typing.get_args(annotation):
        yield from classes_in(part)


def test_classes_of_answers_can_be_imported_from_the_package() -> None:
    found = {
        one
        for part in PARTS
        for method in methods_of(part).values()
        for one in classes_in(typing.get_type_hints(method)["return"])
    }
    assert len(found) > 20
    new = found
    while (
        new := {
            one
            for answer in new - {chatcore.Narrow}  # whose terms are in chatcore.domain
            for annotation in typing.get_type_hints(answer).values()
            for one in classes_in(annotation)
        }
        - found
    ):
        found = found | new
    public = [getattr(chatcore, name) for name in (*chatcore.__all__, *payloads.__all__)]
    assert [one for one in found if one not in public] == []


def test_following_describes_itself_as_a_context_manager() -> None:
    follow = chatcore.chat.events.Events.follow
    assert typing.get_origin(typing.get_type_hints(follow)["return"]) is AbstractContextManager
    assert "with chat.events.follow(ada) as events" in (follow.__doc__ or "")


def methods() -> Iterator[tuple[str, Callable[..., Any]]]:
    for part in (chatcore.Chat, *PARTS):
        for name, method in methods_of(part).items():
            yield f"{part.__name__}.{name}", method


def test_help_shows_the_parameters_the_answer_and_the_purpose_of_each_method() -> None:
    for name, method in methods():
        signature = inspect.signature(method)
        _, *parameters = signature.parameters.values()
        if name != "Chat.in_thread":
            assert all(one.kind is not one.VAR_KEYWORD for one in parameters), name
        assert all(one.annotation is not one.empty for one in parameters), name
        assert signature.return_annotation is not signature.empty, name
        assert (inspect.getdoc(method) or "").partition("\n")[0], name


@pytest.mark.parametrize(
    ("part", "method", "parameters"),
    [
        ("linkifiers", "add", "actor pattern url_template"),
        ("groups", "update_members", "actor group_id add delete add_subgroups delete_subgroups"),
        ("messages", "render", "actor content"),
    ],
)
def test_methods_describe_themselves(part: str, method: str, parameters: str) -> None:
    with open_chat() as chat:
        found = getattr(getattr(chat, part), method)
        assert [*inspect.signature(found).parameters] == parameters.split()
        assert ":raises BadRequest:" in found.__doc__
