from pathlib import Path

import pytest
from fairtrial.api import Answer, Answerer, Option, Question
from fairtrial.conformance import AnswererConformance
from fairtrial.conformance.fakes import sample_task
from fairtrial_answerer_script import ScriptAnswerer

SCRIPT = """
[[answer]]
when = "ROUNDING"
task = "length"
pick = "down"

[[answer]]
when = "rounding"
pick = ["up", "to even", "up"]

[[answer]]
when = "why"
text = "Because."
"""
OPTIONS = tuple(Option(label=label) for label in ("Never", "Round up", "Round down", "To even"))


def write(folder: Path, text: str) -> Path:
    path = folder / "answers.toml"
    path.write_text(text, encoding="utf-8")
    return path


class TestScript(AnswererConformance):
    entry_point = "script"

    @pytest.fixture
    def answerer(self, tmp_path: Path) -> Answerer:
        return ScriptAnswerer(path=write(tmp_path, SCRIPT))


def answered(folder: Path, text: str, *, task: str = "add", multi: bool = False) -> Answer:
    question = Question(text=text, options=OPTIONS, multi_select=multi)
    return ScriptAnswerer(path=write(folder, SCRIPT)).answer(question, sample_task(task))


def test_the_first_entry_that_fits_answers(tmp_path: Path) -> None:
    assert ("Round up",) == answered(tmp_path, "Which rounding?").picked
    assert ("Round down",) == answered(tmp_path, "Which rounding?", task="length").picked
    assert ("Round up", "To even") == answered(tmp_path, "Which rounding?", multi=True).picked


def test_a_text_may_answer(tmp_path: Path) -> None:
    assert Answer(text="Because.", by="script") == answered(tmp_path, "Why so?")


def test_where_nothing_fits_the_first_option_is_taken(tmp_path: Path) -> None:
    assert ("Never",) == answered(tmp_path, "When?").picked
    strange = Question(text="rounding", options=(Option(label="x"),))
    answer = ScriptAnswerer(path=write(tmp_path, SCRIPT)).answer(strange, sample_task())
    assert ("x",) == answer.picked


def test_a_file_that_vanished_breaks_no_trial(tmp_path: Path) -> None:
    answerer = ScriptAnswerer(path=write(tmp_path, SCRIPT))
    (tmp_path / "answers.toml").unlink()
    question = Question(text="Which rounding?", options=OPTIONS)
    assert ("Never",) == answerer.answer(question, sample_task()).picked


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = [", "is no TOML"),
        ("", "must hold"),
        ("answer = 3", "must hold"),
        ("[[answer]]\npick = 'a'\n[other]\n", "must hold"),
        ("[[answer]]\nwhen = 'x'", "answer 1: it needs `pick` or `text`"),
        (
            "[[answer]]\npick = 'a'\n[[answer]]\npicks = 'a'",
            "answer 2: its keys can be pick, task",
        ),
        ("[[answer]]\npick = 3", "answer 1: every value must be a text"),
        ("[[answer]]\npick = ['a', 3]", "answer 1: every value must be a text"),
    ],
)
def test_a_file_that_is_wrong_is_refused_before_the_run(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        ScriptAnswerer(path=write(tmp_path, text))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="can't be read"):
        ScriptAnswerer(path=tmp_path / "none.toml")
