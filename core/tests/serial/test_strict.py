"""What a person wrote, turned into objects: what is taken, what is refused, and in which words."""

import enum
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path, PurePosixPath
from typing import Literal

import pytest
from attrs import field, frozen
from attrs.validators import gt, in_, instance_of, min_len, optional
from fairtrial.api import ConfigError, Network, Solver
from fairtrial.serial import structure
from fairtrial.serial.wording import got, key_text, nearest


class Size(enum.Enum):
    SMALL = 1
    LARGE = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@frozen(kw_only=True)
class Inner:
    a: int
    b: str | None = None


@frozen(kw_only=True)
class Table:
    argv: tuple[str, ...] = field(default=("x",), validator=min_len(1))
    whole: int = 0
    number: float = field(default=1.0, validator=gt(0))
    truth: bool = False
    raw: bytes = b""
    path: Path = Path("x")
    inside: PurePosixPath = PurePosixPath("x")
    env: Mapping[str, str] = field(factory=dict)
    bare: dict = field(factory=dict)  # type: ignore[type-arg]  # as a plugin may write it
    anything: object = None
    names: frozenset[str] = frozenset()
    pair: tuple[int, str] = (1, "a")
    listed: list[int] = field(factory=list)
    row: Sequence[int] = ()
    some: AbstractSet[int] = frozenset()
    loose: tuple = ()  # type: ignore[type-arg]  # as a plugin may write it
    inner: Inner | None = None
    inners: tuple[Inner, ...] = ()
    network: Network = Network.OPEN
    size: Size = Size.SMALL
    level: Level = Level.LOW
    word: Literal["fast", "slow"] = "fast"
    either: int | str | Inner | None = None
    solver: Solver | None = None
    picked: str = field(default="fast", validator=in_(["fast", "slow"]))
    kept: object = field(default=1, validator=optional(instance_of(int)))
    inner_only: int = field(default=3, init=False)


def _refused(data: object, **options: object) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        structure(Table, data, where="[solvers.fix]", **options)  # type: ignore[arg-type]  # a test's
    return caught.value


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("argv", ["a", "b"], ("a", "b")),
        ("number", 3, 3.0),
        ("raw", "AP8=", b"\x00\xff"),
        ("inside", "a/b", PurePosixPath("a/b")),
        ("env", {"A": "1"}, {"A": "1"}),
        ("bare", {"A": 1}, {"A": 1}),
        ("anything", [1, {"a": None}], [1, {"a": None}]),
        ("names", ["a", "b", "a"], frozenset("ab")),
        ("pair", [2, "b"], (2, "b")),
        ("listed", [1, 2], [1, 2]),
        ("row", [1, 2], (1, 2)),
        ("some", [1, 1], frozenset([1])),
        ("loose", [1, "a"], (1, "a")),
        ("inner", {"a": 1}, Inner(a=1)),
        ("inner", None, None),
        ("inners", [{"a": 1, "b": "c"}], (Inner(a=1, b="c"),)),
        ("network", "model-only", Network.MODEL_ONLY),
        ("size", 2, Size.LARGE),
        ("level", 2, Level.HIGH),
        ("word", "slow", "slow"),
        ("either", 3, 3),
        ("either", "3", "3"),
        ("either", {"a": 3}, Inner(a=3)),
    ],
)
def test_what_is_taken(key: str, value: object, expected: object) -> None:
    made = getattr(structure(Table, {key: value}, where="[x]"), key)
    assert expected == made
    assert type(expected) is type(made)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"argv": ["a", 3]}, "argv[1]: expected text, got 3 (a number)"),
        ({"argv": "abc"}, "argv: expected a list, got “abc” (text)"),
        ({"argv": {"a": 1}}, "argv: expected a list, got a table"),
        ({"argv": []}, "argv: its length must be >= 1, got 0"),
        ({"whole": "3"}, "whole: expected a whole number, got “3” (text)"),
        ({"whole": True}, "whole: expected a whole number, got true (true or false)"),
        ({"whole": 1.0}, "whole: expected a whole number, got 1.0 (a number)"),
        ({"number": "3"}, "number: expected a number, got “3” (text)"),
        ({"number": False}, "number: expected a number, got false (true or false)"),
        ({"number": float("inf")}, "number: expected a finite number, got inf (a number)"),
        ({"number": 0}, "number: must be > 0, got 0.0"),
        ({"truth": 1}, "truth: expected true or false, got 1 (a number)"),
        ({"truth": "true"}, "truth: expected true or false, got “true” (text)"),
        ({"raw": "%"}, "raw: expected base64 text, got “%” (text)"),
        ({"raw": 3}, "raw: expected base64 text, got 3 (a number)"),
        ({"path": 3}, "path: expected a path, as text, got 3 (a number)"),
        ({"env": {"A": 1}}, "env.A: expected text, got 1 (a number)"),
        ({"env": {"a b": None}}, 'env."a b": expected text, got nothing'),
        ({"env": ["A"]}, "env: expected a table, got a list"),
        ({"pair": [1]}, "pair: expected a list of 2, got a list"),
        ({"pair": [1, 2]}, "pair[1]: expected text, got 2 (a number)"),
        ({"inner": {"b": "x"}}, "inner.a: is missing, and has no default"),
        ({"inner": "x"}, "inner: expected a table, got “x” (text)"),
        ({"inners": [{"a": 1, "c": 1}]}, "inners[0].c: there is no such key"),
        (
            {"network": "al"},
            "network: expected one of “none”, “model-only”, “open”, got “al” (text)",
        ),
        ({"size": True}, "size: expected one of “1”, “2”, got true (true or false)"),
        ({"level": 3}, "level: expected one of “1”, “2”, got 3 (a number)"),
        ({"word": "fats"}, "word: expected one of “fast”, “slow”, got “fats” (text)"),
        (
            {"either": 1.5},
            "either: expected a whole number or text or a table, got 1.5 (a number)",
        ),
        ({"either": {"a": "x"}}, "either.a: expected a whole number, got “x” (text)"),
        ({"solver": 3}, "solver: expected the name of a solver, as text, got 3 (a number)"),
        ({"picked": "fats"}, "picked: expected one of “fast”, “slow”, got “fats” (text)"),
        ({"inner_only": 3}, "inner_only: there is no such key"),
        ({"whole": "x" * 99}, f"whole: expected a whole number, got “{'x' * 60}…” (text)"),
    ],
)
def test_what_is_refused_with_the_place_and_what_was_expected(data: object, problem: str) -> None:
    assert f"[solvers.fix] {problem}" == _refused(data).problem


def test_a_type_that_a_validator_refuses_is_a_fault_of_the_table() -> None:
    assert _refused({"kept": "x"}).problem.startswith("[solvers.fix] kept: must be <class 'int'>")


def test_what_is_no_table_at_all() -> None:
    assert "[solvers.fix]: expected a table, got 3 (a number)" == _refused(3).problem


def test_an_unknown_key_comes_with_the_nearest_one_and_the_file() -> None:
    error = _refused({"inner": {"a": 1, "zzz": 2}}, source="run.toml")
    assert (("written in", "run.toml"), ("keys", "a, b")) == error.facts
    assert ("nearest", "argv") == _refused({"arvg": []}).facts[-1]
    assert ("nearest", "fast") == _refused({"word": "fats"}).facts[-1]


def test_all_faults_of_a_table_are_told_at_once() -> None:
    error = _refused({"whole": "3", "wohle": 1, "inners": [{"a": 1}, {"a": "x"}]})
    assert "[solvers.fix]: 3 things can't be used as they are" == error.problem
    assert (
        ("whole", "expected a whole number, got “3” (text)"),
        ("inners[1].a", "expected a whole number, got “x” (text)"),
        ("wohle", "there is no such key; nearest: whole"),
    ) == error.facts


def test_relative_paths_start_from_the_base_and_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/someone")

    def path(text: str, base: object) -> Path:
        return structure(Table, {"path": text}, where="[x]", base=base).path  # type: ignore[arg-type]  # a test's

    assert tmp_path / "a" == path("a", tmp_path)
    assert tmp_path / "a" == path("a", {"path": tmp_path, "argv": Path("/other")})
    assert Path("a") == path("a", {"argv": tmp_path})
    assert Path("/a") == path("/a", tmp_path)
    assert Path("/home/someone/a") == path("~/a", tmp_path)
    assert Path("a") == path("a", None)


def test_a_path_with_a_null_byte_is_refused() -> None:
    assert "path: expected a path" in _refused({"path": "a\0b"}).problem


def test_an_interface_is_resolved_by_the_one_who_asked() -> None:
    asked: list[tuple[type, str, str]] = []

    def resolve(protocol: type, name: str, key: str) -> object:
        asked.append((protocol, name, key))
        return name.upper()

    made = structure(Table, {"solver": "fix"}, where="[x]", resolve=resolve)
    assert "FIX" == made.solver
    assert [(Solver, "fix", "solver")] == asked


def test_without_a_resolver_an_interface_is_no_fault_of_the_table() -> None:
    with pytest.raises(LookupError, match="Solver"):
        structure(Table, {"solver": "fix"}, where="[x]")


def test_what_a_resolver_raises_comes_out_unchanged() -> None:
    wrong = ConfigError(problem="a circle")

    def resolve(*_: object) -> object:
        raise wrong

    with pytest.raises(ConfigError) as caught:
        structure(Table, {"solver": "fix", "whole": "3"}, where="[x]", resolve=resolve)
    assert wrong is caught.value


@frozen(kw_only=True)
class Moody:
    mood: str

    def __attrs_post_init__(self) -> None:
        if self.mood == "value":
            raise ValueError("not today")
        if self.mood == "noted":
            error = ValueError("not today")
            error.add_note("nor tomorrow")
            raise error
        if self.mood == "silent":
            raise ValueError
        if self.mood == "type":
            raise TypeError("a bug")
        if self.mood == "key":
            raise KeyError("a bug")


def test_a_value_error_of_a_constructor_is_a_fault_of_the_table() -> None:
    for mood in ("value", "noted"):
        with pytest.raises(ConfigError, match=r"^\[x\]: not today$"):
            structure(Moody, {"mood": mood}, where="[x]")
    with pytest.raises(ConfigError, match=r"^\[x\]: ValueError$"):
        structure(Moody, {"mood": "silent"}, where="[x]")


@pytest.mark.parametrize(("mood", "kind"), [("type", TypeError), ("key", KeyError)])
def test_a_bug_in_a_constructor_comes_out_unchanged(mood: str, kind: type[Exception]) -> None:
    with pytest.raises(kind, match="a bug"):
        structure(Moody, {"mood": mood}, where="[x]")


def test_values_are_told_as_toml_spells_them() -> None:
    assert "1979-05-27 (a date or time)" == got(__import__("datetime").date(1979, 5, 27))
    assert 'a."b c"[0].d-e' == key_text(["a", "b c", 0, "d-e"])


def test_the_nearest_name_ignores_case_and_gives_none_for_what_is_far() -> None:
    assert "Claude" == nearest("claud", ["gemini", "Claude"])
    assert not nearest("xyz", ["gemini", "Claude"])
