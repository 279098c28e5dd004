import random
from collections.abc import Callable

import pytest
from fairtrial.api import EndedBy, SandboxDied
from fairtrial.processes import Crew, Job, run, start

TRICKS = (
    "double_fork",
    "new_session",
    "holds_the_pipe",
    "ignores_signals",
    "bomb",
    "comet",
    "comet_in_its_group",
    "stopped",
    "bare_environment",
    "layers",
)
Survivors = Callable[[], list[str]]
Escape = Callable[..., Job]


@pytest.mark.parametrize("trick", TRICKS)
def test_nothing_outlives_a_program_that_exits(
    escape: Escape, survivors: Survivors, trick: str
) -> None:
    finished = run(escape(trick), timeout_s=20)
    assert (0, EndedBy.EXIT) == (finished.code, finished.ended_by)
    assert b"done" in finished.stdout
    assert [] == survivors()


@pytest.mark.parametrize("trick", TRICKS)
def test_nothing_outlives_a_program_that_is_out_of_time(
    escape: Escape, survivors: Survivors, trick: str
) -> None:
    finished = run(escape(trick, "linger"), timeout_s=0.3)
    assert (None, EndedBy.TIMEOUT) == (finished.code, finished.ended_by)
    assert [] == survivors()


def test_nothing_is_alive_after_200_random_trials_of_tricks(
    escape: Escape, survivors: Survivors
) -> None:
    chance = random.Random(20260101)
    for _ in range(200):
        tricks = chance.sample(TRICKS, k=chance.randint(1, 2))
        program = start(
            escape(*tricks, *chance.sample(("linger",), k=chance.randint(0, 1))), timeout_s=20
        )
        program.wait(chance.uniform(0, 0.06))
        assert program.end().ended_by in {EndedBy.EXIT, EndedBy.CALLER}
    assert [] == survivors()


def test_a_program_that_stops_its_warden_is_ended_all_the_same(
    escape: Escape, survivors: Survivors
) -> None:
    finished = run(escape("double_fork", "stops_the_warden"), timeout_s=0.3)
    assert EndedBy.TIMEOUT == finished.ended_by
    assert [] == survivors()


def test_a_program_that_kills_its_warden_dies_too_and_it_is_told(
    escape: Escape, survivors: Survivors
) -> None:
    with pytest.raises(SandboxDied) as caught:
        run(escape("kills_the_warden"), timeout_s=20)
    assert "a program's sandbox died under it" == caught.value.problem
    assert ("left alive", "0") in caught.value.facts
    assert [] == survivors()


def test_what_kills_the_nursery_as_well_is_found_by_where_it_works(
    escape: Escape, survivors: Survivors
) -> None:
    job = escape("kills_warden_and_nursery")
    crew = Crew(job.cwd)
    with pytest.raises(SandboxDied):
        crew.run(job, timeout_s=20)
    with pytest.raises(SandboxDied):
        crew.settle()
    assert [] == survivors()
    assert 0 == run(escape(), timeout_s=20).code
