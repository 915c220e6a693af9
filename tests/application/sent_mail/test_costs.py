"""The statements that mails about missed messages cost: none where a message is sent."""

from pathlib import Path

from chatcore.application.sent_mail.gathering import gather_missed
from tests.storage_backends.spying import statements
from tests.worlds.organization import MakeWorld, World


def of_a_send(world: World) -> int:
    world["ada"].says("@**Bea** warm up")
    with statements(world.storage) as sent:
        world["ada"].says("@**Bea** hi")
    return len(sent)


def test_sending_costs_the_same_with_and_without_mail(make_world: MakeWorld, tmp_path: Path) -> None:
    without = of_a_send(make_world())
    assert of_a_send(make_world(mail_folder=tmp_path / "mail")) == without


def of_a_look(world: World, people: int) -> int:
    world.add_people(people, to="lunch")
    world["ada"].says("warm up")
    gather_missed(world.svc)
    world["ada"].says("hi")
    with statements(world.storage) as sent:
        gather_missed(world.svc)
    return len(sent)


def test_looking_at_a_message_costs_the_same_in_large_channels(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(mail_folder=tmp_path / "mail")
    assert of_a_look(world, 2) == of_a_look(world, 100)
