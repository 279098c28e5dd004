import resource
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.agents import AgentCommand
from fairtrial.api import (
    AssistantText,
    CostSource,
    Ending,
    LogMessage,
    MachineError,
    TurnEnd,
    Usage,
    UserMessage,
)
from fairtrial.conformance.fakes import FakeSession

Script = Callable[..., AgentCommand]
Begin = Callable[..., FakeSession]

END = """echo '{"type":"end","output":5,"cost":0.5}'"""
FOUR_SCRIPTS = "Ж い ع ξ 🦊 "


def fail(error: str, status: int | str = "null") -> str:
    return (
        f"""echo '{{"type":"end","output":1,"cost":0.25,"error":"{error}","status":{status}}}'"""
    )


def texts(session: FakeSession) -> list[str]:
    return [event.text for event in session.events if isinstance(event, AssistantText)]


def logged(session: FakeSession) -> list[str]:
    return [event.message for event in session.events if isinstance(event, LogMessage)]


def test_an_attempt_is_told_from_its_prompt_to_its_end(begin: Begin, script: Script) -> None:
    session = begin()
    attempt = script("""echo '{"type":"say","text":"hello"}'""", END).solve(session)

    assert Ending.FINISHED == attempt.ending
    assert ("echo-1", "1.3.0", "") == (attempt.model, attempt.agent_version, attempt.note)
    used = Usage(model="echo-1", output=5, cost_usd=0.5, cost_source=CostSource.REPORTED)
    assert (used,) == attempt.usage
    first, second, last = session.events
    assert UserMessage(id="initial", text="do it") == first
    assert AssistantText(text="hello") == second
    assert isinstance(last, TurnEnd)
    assert (False, 0.5) == (last.is_error, last.cost_usd)


def test_a_program_that_stays_after_its_last_event_is_ended_and_has_succeeded(
    begin: Begin, script: Script
) -> None:
    """claude-code#25629."""
    start = time.monotonic()
    attempt = script(END, "sleep 60 & sleep 60").solve(begin())
    assert Ending.FINISHED == attempt.ending
    assert time.monotonic() - start < 10


def test_stdin_is_closed_so_that_nothing_waits_for_its_end(begin: Begin, script: Script) -> None:
    """multica#592, ruflo#1111, ralph#170, openai/codex#20919."""
    session = begin(prompt="first\nlast")
    read_all = """cat >/dev/null; echo '{"type":"say","text":"read"}'"""
    attempt = script(read_all, END).solve(session)
    assert Ending.FINISHED == attempt.ending
    assert ["read"] == texts(session)


def test_an_agent_that_runs_on_is_ended_when_its_time_is_up(begin: Begin, script: Script) -> None:
    attempt = script("""echo '{"type":"say","text":"x"}'""", "sleep 60").solve(
        begin(timeout_s=0.5)
    )
    assert (Ending.TIMED_OUT, "timeout") == (attempt.ending, attempt.limit)


def test_an_agent_that_falls_silent_is_given_up(begin: Begin, script: Script) -> None:
    attempt = script("sleep 60", idle_s=0.2).solve(begin())
    assert (Ending.TIMED_OUT, "idle") == (attempt.ending, attempt.limit)
    assert "no output for 0.2 s" == attempt.note


def test_lines_that_are_no_events_are_passed_over_and_counted(
    begin: Begin, script: Script
) -> None:
    session = begin()
    torn = (
        r"""printf '{"type":"sa\n\377\376 rubbish\n[1]\nwarning: {"type":"say","text":"kept"}\n'"""
    )
    run_together = """echo '{"type":"say","text":"a"}{"type":"say","text":"b"}'"""
    assert Ending.FINISHED == script(torn, run_together, END).solve(session).ending
    assert ["kept", "a", "b"] == texts(session)
    assert "3 lines or events could not be read" == logged(session)[-1]


def test_output_that_is_no_json_at_all_is_a_fault_of_the_set_up(
    begin: Begin, script: Script
) -> None:
    attempt = script("echo Usage: echo-agent; echo bad option >&2; exit 2").solve(begin())
    assert Ending.INFRA == attempt.ending
    assert "it ended before it began: exit status 2: bad option" == attempt.note


def test_an_agent_that_breaks_off_has_crashed(begin: Begin, script: Script) -> None:
    said = """echo '{"type":"say","text":"x"}'"""
    for line, note in (
        ("echo oh >&2; exit 70", "exit status 70: oh"),
        ("kill -9 $$", 'signal 9: {"type":"say","text":"x"}'),
        ("exit 0", 'exit status 0: {"type":"say","text":"x"}'),
    ):
        attempt = script(said, line).solve(begin())
        assert (Ending.CRASHED, note) == (attempt.ending, attempt.note)


def test_a_passing_fault_of_the_provider_is_tried_again_and_its_cost_is_kept(
    begin: Begin, script: Script
) -> None:
    session = begin()
    once = f"[ -e tried ] || {{ touch tried; {fail('overloaded', 529)}; exit 1; }}"
    attempt = script(once, END).solve(session)
    assert Ending.FINISHED == attempt.ending
    assert "done (started 2 times: the provider failed it)" == attempt.note
    assert [(6, 0.75)] == [(usage.output, usage.cost_usd) for usage in attempt.usage]
    ends = [event for event in session.events if isinstance(event, TurnEnd)]
    assert [(True, 0.25), (False, 0.75)] == [(end.is_error, end.cost_usd) for end in ends]


def test_what_session_files_tell_of_a_start_is_counted_for_that_start_alone(
    begin: Begin, script: Script
) -> None:
    session = begin()
    lines = (
        "mkdir -p $HOME/sessions",
        "echo '{\"output\": 7}' >$HOME/sessions/$$.jsonl",
        f"[ -e tried ] || {{ touch tried; {fail('overloaded', 529)}; exit 1; }}",
    )
    attempt = script(*lines, END).solve(session)
    assert "done (started 2 times: the provider failed it)" == attempt.note
    assert [14] == [usage.output for usage in attempt.usage]
    assert 2 == len(list((session.scratch / "native/sessions/sessions").iterdir()))


def test_sessions_of_a_program_that_is_asked_its_version_are_not_the_attempts(
    begin: Begin, script: Script
) -> None:
    session = begin()
    left = "echo 1.3.0; mkdir $HOME/sessions; echo '{\"output\": 7}' >$HOME/sessions/0.jsonl"
    attempt = script(END, version=left).solve(session)
    assert [5] == [usage.output for usage in attempt.usage]
    assert not (session.scratch / "native/sessions").exists()


def test_a_start_without_a_place_for_its_logs_is_told(begin: Begin, script: Script) -> None:
    session = begin()
    once = f"[ -e tried ] || {{ touch tried; rm -r $(dirname $HOME); {fail('overloaded', 529)}; exit 1; }}"
    assert Ending.FINISHED == script(once, END).solve(session).ending
    assert "what the program prints is not kept: there is no place for its logs" in logged(session)


def test_starts_after_a_fault_of_the_provider_are_bounded(begin: Begin, script: Script) -> None:
    session = begin()
    attempt = script("echo x >>starts", fail("slow down", 429), retries=2).solve(session)
    assert Ending.INFRA == attempt.ending
    assert "slow down (started 3 times: the provider failed it)" == attempt.note
    assert 3 == len((session.workspace.root / "starts").read_text().split())


@pytest.mark.parametrize(
    "lines",
    [
        ("""echo '{"type":"tool"}'""", fail("overloaded", 529)),
        (fail("invalid x-api-key", 401),),
        (fail("no such model", 404),),
    ],
)
def test_nothing_is_started_again_on_a_changed_tree_or_without_hope(
    begin: Begin, script: Script, lines: tuple[str, ...]
) -> None:
    session = begin()
    attempt = script("echo x >>starts", *lines).solve(session)
    assert Ending.INFRA == attempt.ending
    assert 1 == len((session.workspace.root / "starts").read_text().split())


def test_a_wait_that_would_outlast_the_attempt_is_not_begun(begin: Begin, script: Script) -> None:
    start = time.monotonic()
    agent = script(fail("overloaded", 529), retry_wait_s=1000.0)
    assert Ending.INFRA == agent.solve(begin()).ending
    assert time.monotonic() - start < 10


def test_what_only_stderr_tells_is_in_the_trajectory_without_keys(
    begin: Begin, script: Script
) -> None:
    """gemini-cli#20275."""
    session = begin()
    line = 'echo noise >&2; echo "again $ECHO_KEY" >&2'
    assert Ending.FINISHED == script(line, END).solve(session).ending
    assert ["again [redacted]"] == logged(session)


def test_the_end_that_an_agent_told_in_time_counts_though_it_lingers_past_its_time(
    begin: Begin, script: Script
) -> None:
    """OpenHands/benchmarks#751."""
    attempt = script(END, "sleep 60", grace_s=30.0).solve(begin(timeout_s=0.6))
    assert (Ending.FINISHED, "") == (attempt.ending, attempt.limit)


def test_the_agents_own_failure_is_graded(begin: Begin, script: Script) -> None:
    attempt = script(fail("I could not find the bug")).solve(begin())
    assert (Ending.CRASHED, "I could not find the bug") == (attempt.ending, attempt.note)


def test_what_a_test_prints_is_no_fault_of_the_provider(begin: Begin, script: Script) -> None:
    said = """echo '{"type":"say","text":"429 rate limit, overloaded, 503"}'"""
    attempt = script(said, "echo HTTP 529 >&2", END).solve(begin())
    assert (Ending.FINISHED, "") == (attempt.ending, attempt.note)


def test_a_program_that_is_not_installed_says_how_to_install_it(
    begin: Begin, script: Script
) -> None:
    with pytest.raises(MachineError) as caught:
        script(END, program="").solve(begin())
    assert "the program “echo-agent” is not installed" == caught.value.problem
    assert "install echo-agent, or write the program's whole path as `program`" == (
        caught.value.way_on
    )


def test_a_gigabyte_of_output_is_read_in_little_memory(begin: Begin, script: Script) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    line = "yes $(head -c 1000 /dev/zero | tr '\\0' x)"
    flood = f"head -c 700000000 /dev/zero; {line} | head -c 300000000; echo"
    start = time.monotonic()
    session = begin(timeout_s=120)
    attempt = script(flood, END).solve(session)
    assert Ending.FINISHED == attempt.ending
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown_kib < 300_000
    assert len(session.events) < 40
    kept = (session.scratch / "native" / "stdout").stat().st_size
    assert kept < 70_000_000
    assert time.monotonic() - start < 100


@pytest.mark.parametrize("prompt", ["--help -x " + FOUR_SCRIPTS * 5000, "-", "$(id) `id` %s \\n"])
def test_a_hard_prompt_arrives_as_it_is(begin: Begin, script: Script, prompt: str) -> None:
    session = begin(prompt=prompt)
    assert Ending.FINISHED == script("cat >prompt", END).solve(session).ending
    assert prompt == (session.workspace.root / "prompt").read_text(encoding="utf-8")


def test_its_own_session_files_are_kept_and_links_are_not_followed(
    begin: Begin, script: Script
) -> None:
    session = begin()
    lines = (
        "mkdir $HOME/sessions",
        "echo '{}' >$HOME/sessions/one.jsonl",
        "ln -s /etc/passwd $HOME/sessions/two.jsonl",
        "mkfifo $HOME/sessions/three.jsonl",
    )
    script(*lines, END).solve(session)
    kept = session.scratch / "native" / "sessions"
    assert ["sessions/one.jsonl"] == [
        str(path.relative_to(kept)) for path in kept.rglob("*") if not path.is_dir()
    ]


def test_a_key_is_in_nothing_that_is_kept(begin: Begin, script: Script) -> None:
    session = begin()
    lines = (
        """echo '{"type":"say","text":"it is '$ECHO_KEY'"}'""",
        "echo $ECHO_KEY >&2",
        "mkdir $HOME/sessions && echo $ECHO_KEY >$HOME/sessions/one.jsonl",
        "exit 3",
    )
    attempt = script(*lines).solve(session)
    assert "exit status 3: [redacted]" == attempt.note
    assert ["it is [redacted]"] == texts(session)
    kept = [
        path.read_bytes() for path in (session.scratch / "native").rglob("*") if path.is_file()
    ]
    assert 3 == len(kept)
    assert not any(b"key-of-the-user" in content for content in kept)


def test_its_home_is_private_and_empty(begin: Begin, script: Script, tmp_path: Path) -> None:
    session = begin()
    script("pwd >where; ls -A $HOME >listed; echo $HOME >home", END).solve(session)
    root = session.workspace.root
    assert "" == (root / "listed").read_text()
    assert f"{tmp_path}/scratch/home\n" == (root / "home").read_text()
    assert 0o700 == (session.scratch / "home").stat().st_mode & 0o777
