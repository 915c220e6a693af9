"""The settings with which new people start: changed by administrators or the organization's own tools."""

from collections.abc import Mapping
from dataclasses import replace

from chatcore.application.organization_changes import put_organization
from chatcore.application.services import Services
from chatcore.application.units import Unit, read_organization, unit_of_work
from chatcore.domain.choices import Value, require_one_of
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.people.setting_values import PRESET, starting_values
from chatcore.events.audience import Everyone
from chatcore.events.happened import UserDefaultsChanged


def user_defaults(svc: Services) -> Mapping[str, Value]:
    """Return the settings of new people, by the names of `domain.people.setting_values.PRESET`."""
    start = starting_values(read_organization(svc))
    return {name: start[name] for name in PRESET}


def change_user_defaults(svc: Services, actor: Actor | None, changes: Mapping[str, object]) -> None:
    """Change settings of new people, as an administrator: all requested changes, or none.

    *changes* has names and values of `domain.people.setting_values.PRESET`. Existing accounts keep their
    settings. Without an actor, the organization's own tools act, which need no permission.

    :raises InsufficientRole: the actor is not an administrator
    :raises InvalidParameter: no such setting, or an invalid value
    """
    if actor is not None:
        require_administrator(actor)  # check this before names and values
    for name in changes:
        require_one_of("name", name, PRESET)
    _store_defaults(svc, actor, {name: PRESET[name].read(name, raw) for name, raw in changes.items()})


@unit_of_work
def _store_defaults(unit: Unit, me: Actor | None, wanted: Mapping[str, Value]) -> None:
    if me is not None:
        require_administrator(me)
    organization = unit.tx.organization.get()
    before = starting_values(organization)
    changed = {name: value for name, value in wanted.items() if value != before[name]}
    if not changed:
        return
    preset = {**organization.user_settings_defaults, **changed}
    put_organization(unit, replace(organization, user_settings_defaults=preset))
    for name, value in changed.items():
        unit.tx.announce(UserDefaultsChanged(name=name, value=value), Everyone())
