"""Erasing a person: the steps of it, what remains of an account, and who cannot be erased."""

from dataclasses import dataclass, replace
from enum import StrEnum

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import Position, UserId
from chatcore.domain.people.users import User


class MessagesOfErased(StrEnum):
    """The choices of what becomes of the messages of a person who is erased."""

    KEEP = "keep"
    DELETE = "delete"


class Step(StrEnum):
    """The steps of an erasure, in their order. Each is done in parts; an interrupted one goes on."""

    MESSAGES = "messages"
    """Deletes the person's messages, if that is wanted."""
    FILES = "files"
    """Deletes the person's files to which no message links, and the person's archives."""
    ROWS = "rows"
    """Removes what is the person's alone: lists, marks, sessions, drafts."""
    MENTIONS = "mentions"
    """Puts the new name in the messages that mention the person."""
    EDITS = "edits"
    """Does so in earlier versions of messages."""
    SCHEDULED = "scheduled"
    """Does so in messages that wait for their time."""
    ADDRESSES = "addresses"
    """Removes what is about addresses that the person has or had, and empties entries of the audit log about
    invitations to them.
    """
    AUDIT = "audit"
    """Empties the audit log of the person's names and addresses."""
    LOG = "log"
    """Removes the events that have the old name, when all clients have received them."""
    DONE = "done"

    @property
    def next(self) -> "Step":
        steps = list(Step)
        return steps[steps.index(self) + 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """An account that is being erased, or was."""

    user_id: UserId
    deletes_messages: bool
    begun_at: int
    """Seconds since 1970."""
    position: Position
    """The last position in the log with an event that may have the old name."""
    step: Step = Step.MESSAGES
    reached: int = 0
    """The id up to which the step has come; of the step `LOG`, which has no parts, the time at which it began
    (see `log_step_began_at`).
    """
    email: str
    """The former address, as long as something is left to be found by it; empty at the end."""
    full_name: str
    """The former name, in the same way."""

    @property
    def is_done(self) -> bool:
        return self.step is Step.DONE

    @property
    def log_step_began_at(self) -> int:
        """The time since which the erasure is in the step `LOG`, in seconds since 1970."""
        assert self.step is Step.LOG
        return self.reached

    def advanced(self, reached: int | None, *, now: int, head: Position) -> "Erasure":
        """Return the erasure when a step has come up to an id, or to its end if that is None.

        :param now: seconds since 1970
        :param head: the last position in the log
        """
        if reached is not None:
            return replace(self, reached=reached)
        match self.step.next:
            case Step.LOG:  # until now, others could edit messages with the old name
                return replace(self, step=Step.LOG, reached=now, position=head)
            case Step.DONE:
                return replace(self, step=Step.DONE, reached=0, email="", full_name="")
            case following:
                return replace(self, step=following, reached=0)


class PersonErased(BadRequest):
    """The person is erased already, or is being erased."""

    code = "PERSON_ERASED"

    def __init__(self) -> None:
        super().__init__("This person is erased.")


def require_may_be_erased(user: User, *, is_only_owner: bool) -> None:
    """Check that an account can be erased.

    :raises BadRequest: a bot, or the only owner
    """
    if user.is_bot:
        raise BadRequest("A bot is erased with the person whose it is; it can be deactivated.")
    if is_only_owner:
        raise BadRequest("Cannot erase the only organization owner")


def name_of_erased(user: User) -> str:
    """Return the name of an account when it is erased."""
    return f"Deleted {'bot' if user.is_bot else 'person'} {user.id}"


def address_of_erased(user: User) -> str:
    """Return an address to which no mail can be sent."""
    return f"deleted{user.id}@deleted.invalid"
