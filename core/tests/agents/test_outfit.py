from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.agents import AgentCommand
from fairtrial.api import Ending, MachineError
from fairtrial.conformance.fakes import FakeSession

Script = Callable[..., AgentCommand]
Begin = Callable[..., FakeSession]

SHOW = "env | sort >variables"
END = """echo '{"type":"end","output":5}'"""


def variables(session: FakeSession) -> dict[str, str]:
    rows = (session.workspace.root / "variables").read_text().splitlines()
    return dict(row.partition("=")[::2] for row in rows)


def test_the_users_key_is_passed_on(begin: Begin, script: Script) -> None:
    session = begin()
    script(SHOW, END).solve(session)
    assert "key-of-the-user" == variables(session)["ECHO_KEY"]


def test_an_agent_is_told_how_long_it_has(begin: Begin, script: Script) -> None:
    """tetsuo-ai/agenc-core#2517."""
    session = begin(timeout_s=40.5)
    script(SHOW, END).solve(session)
    assert int(variables(session)["FAIRTRIAL_DEADLINE_S"]) in {39, 40}


def test_behind_a_gateway_the_users_key_stays_outside(begin: Begin, script: Script) -> None:
    session = begin(environment={"ECHO_URL": "http://127.0.0.1:9", "ECHO_KEY": "of-this-trial"})
    script(SHOW, END).solve(session)
    assert "of-this-trial" == variables(session)["ECHO_KEY"]
    session = begin(environment={"ECHO_URL": "http://127.0.0.1:9"})
    script(SHOW, END).solve(session)
    assert "held-by-the-gateway" == variables(session)["ECHO_KEY"]


def test_without_a_key_it_says_which_variables_were_looked_for(
    begin: Begin, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = script(END)
    monkeypatch.delenv("ECHO_KEY")
    with pytest.raises(MachineError) as caught:
        agent.solve(begin())
    assert "no key for the solver “echo”" == caught.value.problem
    assert (("looked for", "ECHO_KEY, ECHO_TOKEN"),) == caught.value.facts
    assert "`pass_env`" in caught.value.way_on
    assert "a login in your own home is not used" in caught.value.way_on


def test_a_variable_that_is_named_must_be_set(begin: Begin, script: Script) -> None:
    with pytest.raises(MachineError) as caught:
        script(END, pass_env=("NONESUCH_KEY",)).solve(begin())
    assert "the variable “NONESUCH_KEY” is not set" == caught.value.problem


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"env": {"ECHO_KEY": "abcdefghijklmnop1234"}},
            "env.ECHO_KEY holds what looks like a key",
        ),
        ({"env": {"A B": "1"}}, "“A B” is no name of a variable"),
        ({"pass_env": ("sk-1234",)}, "a key itself doesn't belong here"),
    ],
)
def test_a_key_in_the_config_is_refused(
    script: Script, fields: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        script(END, **fields)


def test_another_version_than_the_one_asked_for_is_refused(begin: Begin, script: Script) -> None:
    agent = script(END, version="echo 1.3.0")
    assert Ending.FINISHED == evolve(agent, version="1.3").solve(begin()).ending
    for asked in ("1.2", "1.30", "1.3.1", "2"):
        with pytest.raises(MachineError) as caught:
            evolve(agent, version=asked).solve(begin())
        expected = f"“{agent.program}” is version 1.3.0, and {asked} is asked for"
        assert expected == caught.value.problem


def test_a_version_that_is_too_old_is_refused(begin: Begin, script: Script) -> None:
    with pytest.raises(MachineError) as caught:
        script(END, version="echo echo-agent v1.1.9").solve(begin())
    assert "is version 1.1.9, which is too old to be read" in caught.value.problem
    assert "install echo-agent 1.2.0 or a later one" == caught.value.way_on


def test_a_version_that_is_not_told_is_not_known(begin: Begin, script: Script) -> None:
    assert script(END, version="echo none").solve(begin()).agent_version is None
    assert script(END, version="exit 4").solve(begin()).agent_version is None


def test_the_version_is_asked_once_for_each_file(begin: Begin, script: Script) -> None:
    agent = script(END, version="echo x >>asked; echo 1.3.0")
    session = begin()
    for _ in range(3):
        assert "1.3.0" == agent.solve(session).agent_version
    assert "x\n" == (session.workspace.root / "asked").read_text()
    again = script(END, "# another file", version="echo x >>asked; echo 1.4.0")
    assert "1.4.0" == again.solve(session).agent_version


def test_proxies_of_the_user_do_not_reach_it(
    begin: Begin, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    session = begin()
    script(SHOW, END).solve(session)
    assert not any("proxy" in name.lower() for name in variables(session))


def test_a_proxy_that_is_passed_on_doesnt_stand_before_the_gateway(
    begin: Begin, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    session = begin()
    script(SHOW, END, pass_env=("HTTPS_PROXY", "ECHO_KEY")).solve(session)
    assert "localhost,127.0.0.1,::1" == variables(session)["NO_PROXY"]


def test_a_program_that_cannot_be_run_says_why(begin: Begin, script: Script) -> None:
    agent = script(END)

    Path(agent.program).chmod(0o600)
    with pytest.raises(MachineError) as caught:
        agent.solve(begin())
    assert f"the program “{agent.program}” can't be started" == caught.value.problem
