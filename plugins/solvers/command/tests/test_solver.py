import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fairtrial.api import (
    AssistantText,
    Attempt,
    Brief,
    CostSource,
    Ending,
    Fence,
    LogMessage,
    MachineError,
    TurnEnd,
    Usage,
    UserMessage,
    Workspace,
)
from fairtrial.conformance.fakes.session import FakeSession
from fairtrial.conformance.fakes.workspace import open_local
from fairtrial_solver_command import CommandSolver
from fairtrial_solver_command.result import Pointers

Begin = Callable[..., FakeSession]
FOUR_SCRIPTS = "Ж い ع ξ 🦊 "


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with open_local("test", Fence()) as workspace:
        yield workspace


@pytest.fixture
def begin(workspace: Workspace, tmp_path: Path) -> Begin:
    def session(
        prompt: str = "do it", timeout_s: float = 20.0, budget_usd: float | None = None
    ) -> FakeSession:
        brief = Brief(prompt=prompt, timeout_s=timeout_s, budget_usd=budget_usd)
        return FakeSession(brief=brief, workspace=workspace, scratch=tmp_path)

    return session


def shell(line: str, **fields: object) -> CommandSolver:
    return CommandSolver(argv=("sh", "-c", line), **fields)  # type: ignore[arg-type] # checked by attrs' own validators


def printed(session: FakeSession) -> str:
    return "".join(event.text for event in session.events if isinstance(event, AssistantText))


def test_every_placeholder_is_filled_in(begin: Begin, tmp_path: Path) -> None:
    session = begin(budget_usd=0.5)
    solver = CommandSolver(
        argv=(
            "printf", "%s|", "{prompt}", "{prompt_file}", "{workspace}", "{scratch}",
            "{deadline_s}", "--max={budget_usd}", "{{x}}",
        )
    )  # fmt: skip
    assert Ending.FINISHED == solver.solve(session).ending
    expected = [
        "do it", f"{tmp_path}/.fairtrial/prompt.txt", str(session.workspace.inside), str(tmp_path),
        "19", "--max=0.5", "{x}", "",
    ]  # fmt: skip
    assert expected == printed(session).split("|")
    assert "do it" == (tmp_path / ".fairtrial/prompt.txt").read_text()


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (("echo", "a", "--max", "{budget_usd}", "b"), "a b"),
        (("echo", "a", "--max={budget_usd}", "b"), "a b"),
        (("echo", "a", "{budget_usd}", "b"), "a b"),
    ],
)
def test_without_a_budget_its_arguments_are_left_out(
    begin: Begin, argv: tuple[str, ...], expected: str
) -> None:
    session = begin()
    CommandSolver(argv=argv).solve(session)
    assert expected == printed(session).strip()


@pytest.mark.parametrize(
    "prompt",
    ["--help -x " + FOUR_SCRIPTS * 4000, "{workspace} {0} %s $HOME `id`\n\"'", "-"],
)
def test_a_hard_prompt_arrives_as_it_is(begin: Begin, prompt: str) -> None:
    session = begin(prompt=prompt)
    code = "import sys; open('a','w').write(sys.argv[1]); open('b','w').write(open(sys.argv[2]).read())"
    solver = CommandSolver(argv=("python3", "-c", code, "{prompt}", "{prompt_file}"))
    assert Ending.FINISHED == solver.solve(session).ending
    assert prompt == (session.workspace.root / "a").read_text()
    assert prompt == (session.workspace.root / "b").read_text()


def test_a_prompt_too_long_for_an_argument_is_told_with_the_way_on(begin: Begin) -> None:
    with pytest.raises(MachineError) as caught:
        CommandSolver(argv=("echo", "{prompt}")).solve(begin(prompt="x" * 131_072))
    assert "argument 1 of “echo” is too long for this system" == caught.value.problem
    assert (("bytes", "131072"), ("most", "131071")) == caught.value.facts
    assert "{prompt_file}" in caught.value.way_on
    just = CommandSolver(argv=("true", "{prompt}")).solve(begin(prompt="x" * 131_071))
    assert Ending.FINISHED == just.ending


def test_a_program_that_is_not_installed_is_not_the_agents_fault(begin: Begin) -> None:
    for solver in (
        CommandSolver(argv=("nonesuch",)),
        CommandSolver(argv=("true",), version_argv=("nonesuch",)),
    ):
        with pytest.raises(MachineError) as caught:
            solver.solve(begin())
        assert "the program “nonesuch” is not installed" == caught.value.problem
        assert "install it, or write its whole path in `argv`" == caught.value.way_on


def test_a_file_that_is_no_program_is_told(begin: Begin) -> None:
    session = begin()
    (session.workspace.root / "plain").write_text("x")
    with pytest.raises(MachineError, match=r"the program “\./plain” can't be started"):
        CommandSolver(argv=("./plain",)).solve(session)


def test_streams_are_kept_apart_and_stdin_is_closed(begin: Begin, tmp_path: Path) -> None:
    session = begin()
    assert Ending.FINISHED == shell("cat; echo out; echo err >&2").solve(session).ending
    assert "out\n" == (tmp_path / "native/stdout").read_text()
    assert "err\n" == (tmp_path / "native/stderr").read_text()


def test_a_crash_has_a_note_with_the_last_line_of_stderr(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "correct horse battery")
    session = begin()
    attempt = shell(
        "echo first >&2; echo bad $MY_KEY sk-$(printf %032d 7) >&2; exit 3",
        pass_env=("MY_KEY",),
    ).solve(session)
    note = "exit status 3: bad [redacted] sk-…"
    assert (Ending.CRASHED, note) == (attempt.ending, attempt.note)
    assert [LogMessage(level="error", message=note)] == session.events[1:2]
    killed = shell("kill -9 $$").solve(begin())
    assert (Ending.CRASHED, "signal 9: nothing on stderr") == (killed.ending, killed.note)


def test_other_codes_may_be_fine(begin: Begin) -> None:
    assert Ending.FINISHED == shell("exit 3", ok_codes=(0, 3)).solve(begin()).ending
    assert Ending.CRASHED == shell("exit 0", ok_codes=(3,)).solve(begin()).ending


def test_which_limit_fired_is_told(begin: Begin) -> None:
    late = shell("echo partial; sleep 60").solve(session := begin(timeout_s=0.3))
    assert (Ending.TIMED_OUT, "timeout") == (late.ending, late.limit)
    assert "partial\n" == printed(session)
    idle = shell("echo partial; sleep 60", idle_s=0.2).solve(begin())
    assert (Ending.TIMED_OUT, "idle") == (idle.ending, idle.limit)


def test_after_the_terminal_line_a_program_that_stays_is_ended_as_finished(begin: Begin) -> None:
    line = 'echo start; echo \'{{"type": "result"}}\'; sleep 60'
    solver = shell(line, terminal=r'"type":\s*"result"', grace_s=0.1, idle_s=0.2)
    attempt = solver.solve(begin())
    assert (Ending.FINISHED, "") == (attempt.ending, attempt.limit)


def test_in_its_grace_a_program_may_still_write(begin: Begin) -> None:
    session = begin()
    shell("echo DONE; sleep 0.1; echo x > late", terminal="^DONE$").solve(session)
    assert (session.workspace.root / "late").exists()


def test_output_that_is_no_text_survives(begin: Begin) -> None:
    session = begin()
    attempt = shell(r"printf '\377\376ok\n'; printf '\200bad\n' >&2; exit 1").solve(session)
    assert "exit status 1: \ufffdbad" == attempt.note
    assert "\ufffd\ufffdok\n" == printed(session)


RESULT = {
    "total": 0.25,
    "usage": {"in": 100, "out": 20, "cached": [60, 10]},
    "m/odel": "some-model",
    "v": "1.2.3",
}
POINTERS = Pointers(
    cost="/total",
    input_tokens="/usage/in",
    output_tokens="/usage/out",
    cache_read="/usage/cached/0",
    cache_write="/usage/cached/1",
    model="/m~1odel",
    version="/v",
)
USAGE = Usage(
    model="some-model",
    input_uncached=100,
    cache_read=60,
    cache_write_5m=10,
    output=20,
    cost_usd=0.25,
    cost_source=CostSource.REPORTED,
)


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("cat source", "stdout"),
        ("echo noise; tr -d '\\n' < source; echo; echo", "last-line"),
        ("cp source out.json", "out.json"),
        ("cp source {scratch}/out.json", "{scratch}/out.json"),
    ],
)
def test_a_result_tells_usage_model_and_version(begin: Begin, line: str, result: str) -> None:
    session = begin()
    (session.workspace.root / "source").write_text(json.dumps(RESULT, indent=1))
    attempt = shell(line, result=result, pointers=POINTERS).solve(session)
    assert (USAGE,) == attempt.usage
    assert ("some-model", "1.2.3") == (attempt.model, attempt.agent_version)
    end = session.events[-1]
    assert isinstance(end, TurnEnd)
    assert (0.25, False) == (end.cost_usd, end.is_error)
    assert end.model_usage is not None
    assert 100 == end.model_usage["some-model"].input_tokens


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not json",
        "[" * 100_000,
        '{"total": NaN, "usage": {"in": -5}}',
        '{"total": 1e300, "usage": {"in": 1%s}}' % ("0" * 400),
        "[1]",
        "7",
    ],
)
def test_what_a_result_does_not_tell_is_not_known(begin: Begin, text: str) -> None:
    session = begin()
    (session.workspace.root / "source").write_text(text)
    attempt = shell("cat source", result="stdout", pointers=POINTERS).solve(session)
    assert (Ending.FINISHED, (), None) == (attempt.ending, attempt.usage, attempt.model)


def test_a_result_is_not_read_through_a_link_or_a_pipe(begin: Begin, tmp_path: Path) -> None:
    (tmp_path.parent / "outside.json").write_text(json.dumps(RESULT))
    for line in (
        f"ln -s {tmp_path.parent}/outside.json out.json",
        "mkfifo out.json",
        "mkdir out.json",
    ):
        session = begin()
        attempt = shell(f"rm -rf out.json; {line}", result="out.json", pointers=POINTERS).solve(
            session
        )
        assert (Ending.FINISHED, ()) == (attempt.ending, attempt.usage)
        warning = "the program left no JSON result; what it used is not known"
        assert LogMessage(level="warn", message=warning) == session.events[-1]


def test_the_version_is_asked_for(begin: Begin) -> None:
    attempt: Attempt = CommandSolver(
        argv=("true",), version_argv=("echo", "tool v2.10.1-rc1 (x)")
    ).solve(begin())
    assert "2.10.1-rc1" == attempt.agent_version


def test_variables_reach_the_program(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WANTED", "yes")
    monkeypatch.setenv("UNWANTED", "no")
    session = begin()
    solver = CommandSolver(argv=("env",), env={"HERE": "{workspace}"}, pass_env=("WANTED",))
    solver.solve(session)
    seen = printed(session).splitlines()
    assert {"WANTED=yes", f"HERE={session.workspace.inside}", "FAIRTRIAL_DEADLINE_S=19"} <= set(
        seen
    )
    assert "UNWANTED=no" not in seen
    with pytest.raises(MachineError, match="the variable “NONESUCH” is not set"):
        CommandSolver(argv=("env",), pass_env=("NONESUCH",)).solve(begin())


@pytest.mark.parametrize("name", ["my.key", "A-B", "npm_config_//here/:_auth", "Ä"])
def test_a_variable_that_no_shell_could_set_reaches_the_program(begin: Begin, name: str) -> None:
    session = begin()
    CommandSolver(argv=("env",), env={name: "yes"}).solve(session)
    assert f"{name}=yes" in printed(session).splitlines()


def test_the_prompt_is_the_first_event_and_the_end_the_last(begin: Begin) -> None:
    session = begin()
    shell("echo hello").solve(session)
    first, second, last = session.events
    assert UserMessage(id="initial", text="do it") == first
    assert AssistantText(text="hello\n") == second
    assert isinstance(last, TurnEnd)
    assert ("hello", None, None) == (last.result, last.cost_usd, last.model_usage)
