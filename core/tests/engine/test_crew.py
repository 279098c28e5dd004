"""The workers of a run, and what an interrupt does to them."""

import os
import signal
import threading
import time
from collections.abc import Callable

import pytest
from fairtrial.conformance.fakes import sample_task
from fairtrial.engine.crew import Crew
from fairtrial.engine.plan import Cell

CELLS = [Cell(task=sample_task(), solver="s", rollout=number) for number in range(1, 21)]


def crew(work: Callable[[Cell], None], jobs: int = 2, leave: Callable[[], None] = list) -> Crew:
    return Crew(work=work, jobs=jobs, leave=leave, on_stopping=lambda _: None)


def test_every_cell_is_done_once() -> None:
    done: list[int] = []
    crew(lambda cell: done.append(cell.rollout), jobs=4).work_off(CELLS)
    assert list(range(1, 21)) == sorted(done)


def test_one_worker_keeps_the_order() -> None:
    done: list[int] = []
    crew(lambda cell: done.append(cell.rollout), jobs=1).work_off(CELLS)
    assert list(range(1, 21)) == done


def test_so_many_cells_as_jobs_run_at_once() -> None:
    meeting = threading.Barrier(3, timeout=5)
    crew(lambda _: (meeting.wait(), None)[1], jobs=3).work_off(CELLS[:3])
    assert not meeting.broken


def test_a_shift_begins_once_the_one_before_has_ended() -> None:
    under_way: set[int] = set()
    met: list[set[bool]] = []
    guard = threading.Lock()

    def work(cell: Cell) -> None:
        with guard:
            under_way.add(cell.rollout)
            met.append({number <= 10 for number in under_way})
        time.sleep(0)  # lets the others begin
        with guard:
            under_way.discard(cell.rollout)

    crew(work, jobs=4).work_off(CELLS[:10], CELLS[10:])

    assert [{True}] * 10 + [{False}] * 10 == met


def test_an_interrupt_begins_no_further_shift() -> None:
    done: list[int] = []

    def work(cell: Cell) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        done.append(cell.rollout)

    crew(work, jobs=1).work_off(CELLS[:1], CELLS[1:2])

    assert [1] == done


def test_what_it_works_for_is_never_spelt() -> None:
    class Unspeakable:
        def __call__(self, cell: Cell) -> None:
            pass

        def __repr__(self) -> str:
            msg = "nobody may ask"
            raise RuntimeError(msg)

    crew(Unspeakable()).work_off(CELLS)


def test_what_a_worker_raises_stops_the_run_and_is_raised() -> None:
    done: list[int] = []

    def work(cell: Cell) -> None:
        done.append(cell.rollout)
        if cell.rollout == 2:
            msg = "the disk is full"
            raise OSError(msg)

    with pytest.raises(OSError, match="the disk is full"):
        crew(work, jobs=1).work_off(CELLS)
    assert [1, 2] == done


def test_the_first_interrupt_finishes_what_runs_and_starts_no_more() -> None:
    done: list[int] = []

    def work(cell: Cell) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        done.append(cell.rollout)

    team = crew(work, jobs=1)
    team.work_off(CELLS)
    assert ([1], True) == (done, team.interrupted)


def test_the_second_interrupt_leaves_at_once() -> None:
    ended = threading.Event()
    left: list[bool] = []

    def leave() -> None:
        left.append(True)
        ended.set()

    def work(_: Cell) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)
        ended.wait(5)

    team = crew(work, jobs=1, leave=leave)
    start = time.monotonic()
    team.work_off(CELLS)
    assert [True] == left
    assert time.monotonic() - start < 3


def test_what_is_started_after_all_was_ended_is_ended_too() -> None:
    running = threading.Event()

    def work(_: Cell) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(3):  # as checks do, one after the other
            running.clear()
            assert running.wait(5)

    team = crew(work, jobs=1, leave=running.set)
    team.work_off(CELLS[:1])


def test_a_termination_leaves_at_once() -> None:
    left: list[bool] = []
    team = crew(
        lambda _: os.kill(os.getpid(), signal.SIGTERM), jobs=1, leave=lambda: left.append(True)
    )
    team.work_off(CELLS)
    assert ([True], True) == (left, team.interrupted)


def test_the_signal_handlers_of_before_are_back_afterwards() -> None:
    before = signal.getsignal(signal.SIGINT)
    crew(lambda _: None).work_off(CELLS)
    assert before is signal.getsignal(signal.SIGINT)
