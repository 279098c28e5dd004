from collections import Counter
from pathlib import Path

from fairtrial.api import EndedBy, Ending, Finished, Host, Option, Question, Session, Workspace
from fairtrial.conformance.fakes import (
    CannedAnswers,
    FakeHost,
    FakeSession,
    ScriptedSolver,
    ScriptedWorkspace,
    big_run,
    sample_task,
    silent_run,
    three_trial_run,
    two_runs,
)
from fairtrial.serial import dumps, loads


def session_in(directory: Path, workspace: Workspace) -> FakeSession:
    brief = sample_task().brief
    return FakeSession(brief=brief, workspace=workspace, scratch=directory)


def test_a_fake_host_counts_sleep_on_one_clock_alone(tmp_path: Path) -> None:
    host = FakeHost.below(tmp_path)
    assert isinstance(host.sysfs, Path)
    start = host.monotonic_ns(), host.boottime_ns()

    host.clock.advance(2.0)
    host.clock.sleep(3.0)

    assert 2_000_000_000 == host.monotonic_ns() - start[0]
    assert 5_000_000_000 == host.boottime_ns() - start[1]


def test_a_fake_host_has_the_files_that_were_put(tmp_path: Path) -> None:
    host: Host = FakeHost.below(tmp_path)
    assert isinstance(host, FakeHost)

    host.put("proc/cpuinfo", "model name : none\n")

    assert "model name : none\n" == (host.proc / "cpuinfo").read_text()


def test_a_scripted_workspace_plays_its_outcomes_and_then_the_last_one(tmp_path: Path) -> None:
    outcomes = [Finished(code=code, ended_by=EndedBy.EXIT, stdout=b"a\nb\n") for code in (1, 0)]
    workspace = ScriptedWorkspace(root=tmp_path, outcomes=outcomes)

    codes = [workspace.run(["x", str(number)], timeout_s=1).code for number in range(3)]
    running = workspace.spawn(["y"], timeout_s=1, log=tmp_path / "log")

    assert [1, 0, 0] == codes
    assert ["a", "b"] == list(running.lines())
    assert b"a\nb\n" == (tmp_path / "log" / "stdout").read_bytes()
    assert [("x", "0"), ("x", "1"), ("x", "2"), ("y",)] == workspace.calls


def test_a_scripted_solver_does_what_it_was_told(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    question = Question(text="Which?", options=(Option(label="a"), Option(label="b")))
    solver = ScriptedSolver(
        writes={"deep/new": "new", "old": None},
        asks=(question,),
        ending=Ending.CRASHED,
        note="told to",
        cost_usd=0.5,
    )
    session: Session = session_in(tmp_path, ScriptedWorkspace(root=tmp_path))
    assert isinstance(session, FakeSession)

    attempt = solver.solve(session)

    assert (Ending.CRASHED, "told to", 0.5) == (
        attempt.ending,
        attempt.note,
        attempt.usage[0].cost_usd,
    )
    assert ["deep", "deep/new"] == sorted(
        str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")
    )
    assert [question] == session.questions


def test_canned_answers_are_given_by_the_question() -> None:
    question = Question(text="Which?", options=(Option(label="a"), Option(label="b")))
    answers = CannedAnswers(labels={"Which?": "b"})

    assert ("b",) == answers.answer(question, sample_task()).picked
    assert () == answers.answer(Question(text="Why?"), sample_task()).picked


def test_records_are_what_their_names_say() -> None:
    three = three_trial_run()
    assert [True, False, None] == [trial.resolved for trial in three.trials]
    before, after = two_runs()
    resolved = [sum(bool(one.resolved) for one in run.trials) for run in (before, after)]
    assert [1, 2] == resolved
    assert {None} == {trial.cost_usd for trial in silent_run().trials}
    for run in (three, silent_run()):
        assert run == loads(type(run), dumps(run))


def test_a_big_run_has_as_many_trials_as_asked_and_each_cell_once() -> None:
    run = big_run(1_000)

    cells = Counter((trial.task, trial.solver, trial.rollout) for trial in run.trials)
    assert (1_000, {1}) == (len(run.trials), set(cells.values()))
    assert max(trial.rollout for trial in run.trials) == run.rollouts
