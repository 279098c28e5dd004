"""The driver that docs/agents.md shows is one that works."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from fairtrial.api import AssistantText, Brief, Ending, Fence, Solver, Usage
from fairtrial.conformance.fakes import FakeSession, open_local

PAGE = Path(__file__).parents[2] / "docs/agents.md"
FAKE = """#!/bin/sh
[ "$1" = --version ] && { echo 1.0.0; exit; }
read -r prompt
printf '{"type":"say","text":"%s"}\\n' "$prompt"
echo '{"type":"end","model":"m","usage":{"input_tokens":10,"cached_input_tokens":4,"output_tokens":2}}'
"""


def test_the_driver_of_the_page_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    module = ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)
    exec(compile(code[1], str(PAGE), "exec"), module.__dict__)
    program = tmp_path / "echo-agent"
    program.write_text(FAKE, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    solver: Solver = module.EchoSolver(program=str(program))
    with open_local("test", Fence()) as workspace:
        brief = Brief(prompt="hello", timeout_s=20.0)
        session = FakeSession(brief=brief, workspace=workspace, scratch=tmp_path)
        attempt = solver.solve(session)
    assert (Ending.FINISHED, "1.0.0") == (attempt.ending, attempt.agent_version)
    expected = Usage(
        model="m", input_uncached=6, cache_read=4, cache_write_5m=0, cache_write_1h=0, output=2
    )
    assert (expected,) == attempt.usage
    assert AssistantText(text="hello") in session.events
