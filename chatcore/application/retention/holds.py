"""Legal holds: owners set, list and lift them."""

from collections.abc import Sequence
from typing import Annotated

from chatcore.application.arguments import Id, about
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.users import no_such_user
from chatcore.domain.errors import BadRequest, invalid_channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, HoldId, RecipientId, UserId
from chatcore.domain.organization.administration import require_owner
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.retention import holds as rules
from chatcore.domain.retention.holds import MAX_REASON, NOT_STORED, Hold
from chatcore.events.payloads.organization import HoldObject, hold_object
from chatcore.storage import Snapshot


@read_only
def list_holds(view: View, me: Actor) -> Sequence[HoldObject]:
    """List the legal holds, for owners.

    :raises InsufficientRole: the actor is no owner
    """
    require_owner(me)
    return [hold_object(hold) for hold in view.snapshot.holds.all()]


@unit_of_work
def add_hold(
    unit: Unit,
    me: Actor,
    reason: Annotated[str, about(f"The reason, such as the number of a case: 1 to {MAX_REASON} characters.")],
    *,
    user_id: Annotated[int | None, about("The person or bot whose messages and files are kept.")] = None,
    channel_id: Annotated[int | None, about("The channel whose messages are kept, instead.")] = None,
) -> HoldId:
    """Set a legal hold on a person or on a channel: nothing of it is deleted until it is lifted, neither by
    itself nor by anybody. Only owners can.

    :raises InsufficientRole: the actor is no owner
    :raises BadRequest: not one of both, no such person or channel, one that is held already, no reason, or
        too many holds
    """
    require_owner(me)
    hold = Hold(
        id=NOT_STORED,
        user_id=None if user_id is None else UserId(user_id),
        channel_id=None if channel_id is None else ChannelId(RecipientId(channel_id)),
        reason=rules.checked_reason(reason),
        set_at=unit.now,
        set_by=me.user_id,
    )
    _require_target(unit.tx, hold)
    known = unit.tx.holds.all()
    if any((other.user_id, other.channel_id) == (hold.user_id, hold.channel_id) for other in known):
        raise BadRequest("There is a hold on it already.")
    if len(known) >= rules.MAX_HOLDS:
        raise BadRequest(f"You cannot have more than {rules.MAX_HOLDS} holds.")
    hold = unit.tx.holds.add(hold)
    unit.record(AuditKind.HOLD_SET, hold.id, after=_describe_hold(hold))
    return hold.id


@unit_of_work
def lift_hold(unit: Unit, me: Actor, hold_id: Annotated[Id, about("The hold's id.")]) -> None:
    """Lift a legal hold. What is older than it is kept is deleted soon afterwards. Only owners can.

    :raises InsufficientRole: the actor is no owner
    :raises BadRequest: no such hold
    """
    require_owner(me)
    hold = next((hold for hold in unit.tx.holds.all() if hold.id == hold_id), None)
    if hold is None:
        raise BadRequest("There is no such hold.")
    unit.tx.holds.remove(hold.id)
    unit.record(AuditKind.HOLD_LIFTED, hold.id, before=_describe_hold(hold))


def _require_target(snapshot: Snapshot, hold: Hold) -> None:
    """Check that a hold is on one person or channel that there is.

    :raises BadRequest:
    """
    if (hold.user_id is None) == (hold.channel_id is None):
        raise BadRequest("A hold is on one person or on one channel.")
    if hold.user_id is not None and snapshot.users.find(hold.user_id) is None:
        raise no_such_user()
    if hold.channel_id is not None and snapshot.channels.find(hold.channel_id) is None:
        raise invalid_channel()


def _describe_hold(hold: Hold) -> dict[str, object]:
    if hold.user_id is not None:
        return {"user_id": hold.user_id, "reason": hold.reason}
    return {"channel_id": hold.channel_id, "reason": hold.reason}
