"""The proof of a task's oracle."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import pytest
from attrs import define, evolve
from fairtrial.api import (
    Check,
    CheckKind,
    Fence,
    Patch,
    PlannedTask,
    Task,
    Verdict,
    Workspace,
)
from fairtrial.builtin.local import LocalSandbox, opened
from fairtrial.conformance.fakes import ThreeTaskSuite, sample_task
from fairtrial.engine.controls import Proofs, fault_of
from fairtrial.engine.journal import Journal, read_lines
from fairtrial.engine.room import Room

MakeRoom = Callable[..., Room]


class PassesAnything(ThreeTaskSuite):
    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        check = Check(name="c", kind=CheckKind.VISIBLE, passed=True)
        return Verdict(checks=(check,), suite_version="1")


class JudgesNothing(ThreeTaskSuite):
    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        check = Check(name="c", kind=CheckKind.VISIBLE, passed=None, code="grader", why="no test")
        return Verdict(checks=(check,), suite_version="1")

    def reference(self, task: Task, /) -> Patch | None:
        return None


class WrongReference(ThreeTaskSuite):
    def reference(self, task: Task, /) -> Patch | None:
        return Patch()


def test_a_sound_task_has_no_fault(make_room: MakeRoom) -> None:
    assert "" == fault_of(sample_task(), make_room())


@pytest.mark.parametrize(
    ("suite", "fault"),
    [
        (PassesAnything(), "the checks pass on the bare tree: there is nothing to fix"),
        (JudgesNothing(), "no check could be judged on the bare tree"),
        (WrongReference(), "the reference does not resolve it: answer: “” is not the answer"),
    ],
    ids=["passes-before", "never-judged", "wrong-reference"],
)
def test_a_broken_oracle_is_named(make_room: MakeRoom, suite: ThreeTaskSuite, fault: str) -> None:
    assert fault == fault_of(sample_task(), make_room(suite=suite))


def test_a_reference_out_of_scope_is_a_fault(make_room: MakeRoom) -> None:
    task = evolve(sample_task(), allowed=("other.txt",))
    assert "the reference changes what is out of scope: answer.txt" == fault_of(task, make_room())


def test_a_proof_is_made_once_and_written_down(make_room: MakeRoom) -> None:
    room = make_room(suite=PassesAnything())
    told: list[PlannedTask] = []
    proofs = Proofs(room, Journal(room.directory.proofs), told.append)
    first, second = proofs.prove(sample_task()), proofs.prove(sample_task())
    assert first is second
    assert [first] == told == list(read_lines(room.directory.proofs, PlannedTask))
    assert "the checks pass on the bare tree: there is nothing to fix" == first.invalid


def test_a_sound_proof_is_remembered_by_digest_and_a_broken_one_is_not(
    make_room: MakeRoom,
) -> None:
    sound, broken = make_room(), make_room(suite=PassesAnything())
    journal = Journal(sound.directory.proofs)
    assert "" == Proofs(sound, journal, print).prove(sample_task()).invalid
    # Same digest and suite version: the cache answers, although this suite would find a fault.
    assert "" == Proofs(broken, journal, print).prove(sample_task()).invalid
    other = evolve(sample_task(), digest="another")
    assert "" != Proofs(broken, journal, print).prove(other).invalid


@define
class ChoosesByItself:
    """A sandbox that is one thing today and another tomorrow, and says so."""

    kept: Mapping[str, str]

    @contextmanager
    def open(self, label: str, fence: Fence, /) -> Iterator[Workspace]:
        with opened(LocalSandbox(), label, fence, self.kept) as workspace:
            yield workspace


def test_a_proof_in_one_sandbox_is_none_in_another(make_room: MakeRoom) -> None:
    weak, strong, other = (
        ChoosesByItself({"sandbox": name, "image": image})
        for name, image in (("local", ""), ("docker", "a"), ("docker", "b"))
    )
    sound = evolve(make_room(), sandbox=weak)
    journal = Journal(sound.directory.proofs)
    assert "" == Proofs(sound, journal, print).prove(sample_task()).invalid
    broken = make_room(suite=PassesAnything())
    for sandbox, remembered in ((weak, True), (strong, False), (other, False)):
        room = evolve(broken, sandbox=sandbox)
        proved = Proofs(room, journal, print).prove(sample_task())
        assert remembered == (proved.invalid == "")
