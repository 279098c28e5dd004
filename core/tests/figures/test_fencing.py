from collections.abc import Callable

import pytest
from fairtrial.api.attempt import Ending
from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.fencing import fencing

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


@pytest.mark.parametrize("network", ["none", "model-only"])
def test_where_every_attempt_was_fenced_no_answer_could_be_fetched(
    make_trial: Make, make_run: MakeRun, network: str
) -> None:
    trials = [make_trial(f"t{number}", enforced={"network": network}) for number in range(3)]
    found = fencing(make_run(*trials))
    assert found.held
    assert "no answer could be fetched: the network was fenced on 3 of 3 attempts" == str(found)


@pytest.mark.parametrize("enforced", [{"network": "open"}, {"sandbox": "bubblewrap"}, {}])
def test_one_attempt_without_the_sandboxs_word_is_enough_that_it_does_not_hold(
    make_trial: Make, make_run: MakeRun, enforced: dict[str, str]
) -> None:
    fenced = {"network": "none"}
    found = fencing(
        make_run(
            make_trial("t1", enforced=fenced),
            make_trial("t1", enforced=fenced, solver="y"),
            make_trial("t2", False, enforced=enforced, solver="y"),
        )
    )
    assert not found.held
    assert {"y": 1} == found.unfenced
    assert "answers could be fetched: the network was fenced on 2 of 3 attempts" == str(found)


def test_control_arms_and_what_never_ran_to_an_end_count_for_nothing(
    make_trial: Make, make_run: MakeRun
) -> None:
    found = fencing(
        make_run(
            make_trial("t1", enforced={"network": "none"}),
            make_trial("t1", solver="reference", enforced={"network": "open"}),
            make_trial("t2", None, ending=Ending.INFRA),
        )
    )
    assert (1, 1, True) == (found.attempted, found.fenced, found.held)


def test_where_nothing_was_attempted_it_does_not_hold_and_nothing_is_said(
    make_trial: Make, make_run: MakeRun
) -> None:
    found = fencing(make_run(make_trial("t1", solver="noop", enforced={"network": "none"})))
    assert (False, "") == (found.held, str(found))
