"""The journal: durable, append-only, and forgiving to a torn line."""

import threading
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import Ending, PlannedTask, RunError, RunRecord, Trial, Unwritable
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import Journal, latest, read_lines, read_run, write_plan


def trial(number: int = 1, **settings: object) -> Trial:
    given = {"task": f"t{number}", "digest": "d", "family": "f", "solver": "s", **settings}
    return Trial(ending=Ending.FINISHED, **given) if "ending" not in given else Trial(**given)  # type: ignore[arg-type]  # a test's shorthand


@pytest.fixture
def directory(tmp_path: Path) -> RunDirectory:
    found = RunDirectory(tmp_path / "run")
    found.path.mkdir()
    plan = RunRecord(
        label="run",
        suite="s",
        solvers=("s",),
        tasks=(PlannedTask(id="t1", family="f", digest="d"),),
    )
    write_plan(found, plan)
    return found


def test_what_was_appended_is_read_back(directory: RunDirectory) -> None:
    journal = Journal(directory.journal)
    trials = [trial(number, note="ünïcode\n|") for number in range(3)]
    for each in trials:
        journal.append(each)
    assert trials == list(read_lines(directory.journal, Trial))


def test_a_torn_last_line_is_passed_over_and_does_not_swallow_the_next(
    directory: RunDirectory,
) -> None:
    journal = Journal(directory.journal)
    journal.append(trial(1))
    with directory.journal.open("ab") as file:
        file.write(b'{"task":"t2","dig')
    journal.append(trial(3))
    torn: list[int] = []
    read = read_lines(directory.journal, Trial, torn=torn)
    assert ["t1", "t3"] == [each.task for each in read]
    assert [2] == torn


@pytest.mark.parametrize("rubbish", [b"\xff\xfe\n", b"null\n", b"[]\n", b'{"task":1}\n', b"\n"])
def test_rubbish_in_the_journal_is_passed_over(directory: RunDirectory, rubbish: bytes) -> None:
    directory.journal.write_bytes(rubbish)
    Journal(directory.journal).append(trial(1))
    assert ["t1"] == [each.task for each in read_lines(directory.journal, Trial)]


def test_the_last_word_on_a_trial_counts_and_its_place_is_kept() -> None:
    first, second = trial(1), trial(2)
    again = evolve(first, note="again")
    other = evolve(first, digest="changed")
    assert (again, second, other) == latest([first, second, other, again])


def test_attempts_that_were_made_again_are_kept_beside_for_what_they_spent(
    directory: RunDirectory,
) -> None:
    journal = Journal(directory.journal)
    stopped = trial(1, ending=Ending.INTERRUPTED, started_at="09:00", wall_s=2.0)
    broke = trial(1, ending=Ending.INFRA, started_at="10:00", wall_s=3.0)
    done = trial(1, started_at="11:00", wall_s=4.0)
    batched = evolve(broke, note="its joules are in a batch")
    for each in (stopped, broke, batched, done, evolve(done, note="audited")):
        journal.append(each)
    found = read_run(directory)
    assert (evolve(done, note="audited"),) == found.trials
    assert (stopped, batched) == found.again


def test_an_attempt_that_was_graded_again_was_not_made_again(directory: RunDirectory) -> None:
    journal = Journal(directory.journal)
    broke = trial(1, ending=Ending.INFRA, started_at="10:00", wall_s=3.0)
    for each in (broke, evolve(broke, ending=Ending.FINISHED)):
        journal.append(each)
    assert () == read_run(directory).again


def test_what_was_made_again_is_not_written_to_the_plan(directory: RunDirectory) -> None:
    record = read_run(directory)
    write_plan(directory, evolve(record, trials=(trial(1),), again=(trial(1),)))
    assert (record.trials, record.again) == (read_run(directory).trials, read_run(directory).again)


def test_lines_of_many_threads_never_mix(directory: RunDirectory) -> None:
    journal = Journal(directory.journal)
    threads = [
        threading.Thread(
            target=lambda n=n: [journal.append(trial(n, note="x" * 5000)) for _ in range(5)]
        )
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 40 == len(list(read_lines(directory.journal, Trial)))


def test_a_full_disk_is_one_clear_error_and_loses_nothing(directory: RunDirectory) -> None:
    Journal(directory.journal).append(trial(1))
    with pytest.raises(Unwritable) as caught:
        Journal(Path("/dev/full")).append(trial(2))
    assert "“/dev/full” can't be written" == caught.value.problem
    assert ("because", "No space left on device") in caught.value.facts
    assert 3 == caught.value.exit_code
    assert ["t1"] == [each.task for each in read_lines(directory.journal, Trial)]


def test_a_run_is_read_with_its_proofs_and_trials(directory: RunDirectory) -> None:
    Journal(directory.journal).append(trial(1))
    broken = PlannedTask(id="t1", family="f", digest="d", invalid="nothing to fix")
    Journal(directory.proofs).append(broken)
    record = read_run(directory)
    assert ((broken,), (trial(1),)) == (record.tasks, record.trials)


def test_a_proof_of_another_version_of_a_task_does_not_count(directory: RunDirectory) -> None:
    stale = PlannedTask(id="t1", family="f", digest="old", invalid="nothing to fix")
    Journal(directory.proofs).append(stale)
    assert "" == read_run(directory).tasks[0].invalid


def test_a_directory_without_a_run_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RunError) as caught:
        read_run(RunDirectory(tmp_path))
    assert f"there is no run in “{tmp_path}”" == caught.value.problem


def test_a_record_of_another_schema_is_refused_with_the_way_on(directory: RunDirectory) -> None:
    text = directory.record.read_text().replace('"schema":"1.0"', '"schema":"2.0"')
    directory.record.write_text(text)
    with pytest.raises(RunError) as caught:
        read_run(directory)
    assert "read it with the version that wrote it" == caught.value.way_on


def test_a_record_that_is_no_json_is_refused(directory: RunDirectory) -> None:
    directory.record.write_text("{")
    with pytest.raises(RunError, match="can't be understood"):
        read_run(directory)


def test_two_writers_never_hold_one_directory(directory: RunDirectory) -> None:
    refused = pytest.raises(RunError, match="another run is writing")
    with directory.held(), refused, directory.held():
        pass


def test_a_directory_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(Unwritable, match="can't be written"),
        RunDirectory(tmp_path / "file" / "run").held(),
    ):
        pass


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "a b", "-x"])
def test_a_name_that_leads_elsewhere_is_refused(directory: RunDirectory, name: str) -> None:
    with pytest.raises(RunError, match="can't be the name of a directory"):
        directory.trial(name, "s", 1)


def test_the_journal_is_private(directory: RunDirectory) -> None:
    Journal(directory.journal).append(trial(1))
    assert 0 == directory.journal.stat().st_mode & 0o077
