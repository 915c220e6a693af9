"""Errors that a caller can see: a stable code, an HTTP status and extra fields.

Raised anywhere in the core; `chatcore.http.app` alone converts them to the API's error envelope. The message
is for people and may change; `code` and the extra fields are for programs and stay stable.
"""

from typing import ClassVar, Final

MAX_SHOWN: Final = 40
"""Characters of client input that an error message repeats."""


def shorten(text: str) -> str:
    """Shorten client input for an error message."""
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


class ChatcoreError(Exception):
    """Any error of this library that a program can handle."""


class ChatError(ChatcoreError):
    """A request that cannot be fulfilled; it has changed nothing."""

    code: ClassVar[str] = "BAD_REQUEST"
    status: ClassVar[int] = 400

    def __init__(self, message: str, **extra: object) -> None:
        super().__init__(message)
        self.message = message
        self.extra = extra


class BadRequest(ChatError):
    """The rules do not allow the request; the general case."""


class InsufficientPermission(BadRequest):
    """The actor is not among those who have the permission."""

    def __init__(self) -> None:
        super().__init__("Insufficient permission")


class MissingParameter(ChatError):
    """A required parameter is missing; `var_name` names it."""

    code = "REQUEST_VARIABLE_MISSING"

    def __init__(self, name: str) -> None:
        super().__init__(f"Missing '{name}' argument", var_name=name)


class InvalidParameter(ChatError):
    """Invalid value of a parameter: not JSON, of another type, too long, or not one of the allowed values."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"Bad value for '{name}': {reason}", var_name=name)
        self.name = name


class InconvertibleParameter(InvalidParameter):
    """The value is not a number, or is out of range; or a narrow is not a list."""

    code = "REQUEST_VARIABLE_INVALID"


class ConfusingParameters(ChatError):
    """The request has one parameter under two names."""

    code = "REQUEST_CONFUSING_VAR"

    def __init__(self, name1: str, name2: str) -> None:
        super().__init__(
            f"Can't decide between '{name1}' and '{name2}' arguments", var_name1=name1, var_name2=name2
        )


class Unauthorized(ChatError):
    """Missing or wrong credentials; one message for every cause, so that it reveals nothing."""

    code = "UNAUTHORIZED"
    status = 401

    def __init__(self, message: str = "Invalid API key") -> None:
        super().__init__(message)


NOT_LOGGED_IN: Final = "Not logged in: API authentication required"


class LoginRequired(ChatError):
    """The request needs an account: only content that is open to the web can be read without one."""

    code = "UNAUTHENTICATED_USER"
    status = 401

    def __init__(self) -> None:
        super().__init__(NOT_LOGGED_IN)


class UserDeactivated(ChatError):
    """The account is deactivated."""

    code = "USER_DEACTIVATED"
    status = 401

    def __init__(self) -> None:
        super().__init__("Account is deactivated")


class OrganizationDeactivated(ChatError):
    """The whole organization is deactivated."""

    code = "REALM_DEACTIVATED"
    status = 401

    def __init__(self) -> None:
        super().__init__("This organization has been deactivated")


class AuthenticationFailed(ChatError):
    """Wrong user name or password."""

    code = "AUTHENTICATION_FAILED"
    status = 401

    def __init__(self) -> None:
        super().__init__("Your username or password is incorrect")


class BadWebToken(ChatError):
    """A JSON Web Token that vouches for nobody: forged, expired, or without an address."""

    def __init__(self, message: str = "Bad JSON web token") -> None:
        super().__init__(message)


RETRY_SECONDS: Final = 1.0
"""Seconds after which to retry a request that was refused because too many of the account or the address are
under way.
"""


class RateLimited(ChatError):
    """A limit is reached; retry after `retry_after` seconds.

    *limit* names the limit in the answer: a rule of `chatcore.domain.rate_limits`, or a daily
    limit of an account.
    """

    code = "RATE_LIMIT_HIT"
    status = 429

    def __init__(
        self, retry_after: float, message: str = "API usage exceeded rate limit", *, limit: str
    ) -> None:
        super().__init__(message, **{"retry-after": retry_after, "limit": limit})
        self.retry_after = retry_after


class InsufficientRole(ChatError):
    """The actor's role is too low: a member, administrator or owner is required."""

    code = "UNAUTHORIZED_PRINCIPAL"


class CannotDeactivateLastUser(ChatError):
    """The account is the last owner or the last user and cannot deactivate itself."""

    code = "CANNOT_DEACTIVATE_LAST_USER"

    def __init__(self, *, is_last_owner: bool) -> None:
        entity = "organization owner" if is_last_owner else "user"
        super().__init__(f"Cannot deactivate the only {entity}.", is_last_owner=is_last_owner, entity=entity)


class NoSuchOrganization(ChatError):
    """No organization is served at this host."""

    code = "NONEXISTENT_SUBDOMAIN"
    status = 404

    def __init__(self) -> None:
        super().__init__("No organization at this address")


class NotFound(ChatError):
    """A missing object that the API answers with 404, with the general code."""

    status = 404


class BadNarrow(ChatError):
    """A narrow with an invalid term, such as an unknown operator or channel; `desc` names it."""

    code = "BAD_NARROW"

    def __init__(self, desc: str) -> None:
        super().__init__(f"Invalid narrow: {desc}", desc=desc)


class ChannelDoesNotExist(ChatError):
    """The target channel of a message does not exist; the extra field repeats the client's name or id."""

    code = "STREAM_DOES_NOT_EXIST"

    def __init__(self, name_or_id: str | int) -> None:
        if isinstance(name_or_id, str):
            super().__init__(f"Channel '{name_or_id}' does not exist", stream=name_or_id)
        else:
            super().__init__(f"Channel with ID '{name_or_id}' does not exist", stream_id=name_or_id)


class ChannelAlreadyExists(ChatError):
    """The channel name is taken; the extra field repeats the client's name."""

    code = "CHANNEL_ALREADY_EXISTS"
    status = 409

    def __init__(self, name: str) -> None:
        super().__init__(f"Channel name already in use: '{name}'", channel_name=name)


class ChannelWildcardNotAllowed(ChatError):
    """The user may not use wildcard mentions in a channel with so many subscribers."""

    code = "STREAM_WILDCARD_MENTION_NOT_ALLOWED"

    def __init__(self) -> None:
        super().__init__("You do not have permission to use channel wildcard mentions in this channel.")


class TopicWildcardNotAllowed(ChatError):
    """The user may not use wildcard mentions in a topic with so many participants."""

    code = "TOPIC_WILDCARD_MENTION_NOT_ALLOWED"

    def __init__(self) -> None:
        super().__init__("You do not have permission to use topic wildcard mentions in this topic.")


class BadEventQueue(ChatError):
    """An event queue that is unknown, expired or owned by another user: one answer for all three."""

    code = "BAD_EVENT_QUEUE_ID"

    def __init__(self, queue_id: str) -> None:
        super().__init__(f"Bad event queue ID: {queue_id}", queue_id=queue_id)
        # For programs: the sentence of the API has no room for it.
        self.add_note(
            "Nobody has polled the queue for too long, it is another user's, or it made room for newer ones:"
            " an account has so many queues at once (max_event_queues_per_user of Limits). Register anew."
        )


class ExpectationMismatch(ChatError):
    """The client's expected value is stale."""

    code = "EXPECTATION_MISMATCH"

    def __init__(self, field_name: str) -> None:
        super().__init__(f"'{field_name}' value does not match the expected value.", field_name=field_name)


class MoveTimeLimitExceeded(ChatError):
    """A part of the topic to be moved is too old; the newer part could be moved."""

    code = "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED"

    def __init__(self, first_allowed: int, total: int, allowed: int) -> None:
        super().__init__(
            f"You only have permission to move the {allowed}/{total} most recent messages in this topic.",
            first_message_id_allowed_to_move=first_allowed,
            total_messages_in_topic=total,
            total_messages_allowed_to_move=allowed,
        )


class InvalidJson(ChatError):
    """The body of a request is not JSON."""

    code = "INVALID_JSON"

    def __init__(self) -> None:
        super().__init__("Malformed JSON")


class AnomalousPayload(ChatError):
    """The data that a program has posted are not of the form that the integration expects."""

    code = "ANOMALOUS_WEBHOOK_PAYLOAD"

    def __init__(self, integration: str) -> None:
        super().__init__(
            f"The {integration} integration does not understand these data.", webhook_name=integration
        )


def invalid_message() -> BadRequest:
    """Return the single error for a message that does not exist or is not visible."""
    return BadRequest("Invalid message(s)")


def invalid_channel(channel: int | str | None = None) -> BadRequest:
    """Return the single error for a channel that does not exist or is not visible."""
    if isinstance(channel, str):
        return BadRequest(f"Invalid channel name '{channel}'")
    return BadRequest("Invalid channel ID")


def invalid_user_id(user_id: int | str) -> BadRequest:
    """Return the error for a person in a list who does not exist, or may not be in it."""
    return BadRequest(f"Invalid user ID: {user_id}")


def invalid_order() -> BadRequest:
    """Return the error for a new order that does not name all that is put in order."""
    return BadRequest("Invalid order mapping.")


def nothing_to_change() -> BadRequest:
    """Return the error for a change without any new value."""
    return BadRequest("Nothing to change")


def nothing_to_add_or_delete() -> BadRequest:
    """Return the error for a change of a list that neither adds nor removes anything."""
    return BadRequest('Nothing to do. Specify at least one of "add" or "delete".')


def too_long(what: str, limit: int) -> BadRequest:
    """Return the error for a text of more characters than it may have."""
    return BadRequest(f"{what} is too long (limit: {limit} characters)")
