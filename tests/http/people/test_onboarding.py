"""Onboarding steps over HTTP, on both stores."""

from chatcore.domain.people.onboarding import STEPS
from tests.worlds.organization import Someone, World

PATH = "/users/me/onboarding_steps"


def steps_of(someone: Someone) -> list[str]:
    steps = someone.registers(fetch_event_types=["onboarding_steps"]).state["onboarding_steps"]
    assert {step["type"] for step in steps} <= {"one_time_notice"}
    return [step["name"] for step in steps]


def test_a_step_is_shown_once(world: World, ada: Someone, gus: Someone) -> None:
    assert steps_of(ada) == list(STEPS)
    mine, others = ada.opens_queue("onboarding_steps"), gus.opens_queue("onboarding_steps")
    for _ in range(2):
        ada.post(PATH, onboarding_step=STEPS[1])
    left = [name for name in STEPS if name != STEPS[1]]
    assert steps_of(ada) == left
    (event,) = mine.events()
    assert [step["name"] for step in event["onboarding_steps"]] == left
    assert (steps_of(gus), others.events()) == (list(STEPS), [])


def test_unknown_steps_and_bots_are_refused(world: World, ada: Someone) -> None:
    ada.refused("POST", PATH, onboarding_step="dancing")
    ada.refused("POST", PATH, code="REQUEST_VARIABLE_MISSING")
    world["robo"].refused("POST", PATH, onboarding_step=STEPS[0])
    assert (steps_of(world["robo"]), steps_of(ada)) == ([], list(STEPS))


def test_without_an_account_there_are_no_steps(world: World) -> None:
    world.open_to_the_web()
    state = world.nobody.post("/register", fetch_event_types=["onboarding_steps"])
    assert (state["onboarding_steps"], state["navigation_tour_video_url"]) == ([], None)
