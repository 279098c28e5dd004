"""Probes in each language, against real programs."""

import pytest
from fairtrial.stacks.probes import Case, ask

PROBES = {
    "python": (
        "probe.py",
        {
            "calc.py": "def add(a, b):\n    if a < 0:\n        raise ValueError(a)\n    return a + b\n"
        },
        """
from fairtrial_probe import serve
from calc import add

def echo(value):
    return value

def odd():
    return [float("nan"), float("-inf"), (1, 2), {"a": None}]

def unplain():
    return {1, 2}

serve(add, echo, unplain, odd=odd)
""",
    ),
    "node": (
        "probe.mjs",
        {
            "calc.mjs": "export function add (a, b) { if (a < 0) throw new RangeError('x'); return a + b }"
        },
        """
import { serve, tree } from './fairtrial-probe.mjs'
const { add } = await import(tree('calc.mjs'))
serve({
  add: async (a, b) => add(a, b),
  echo: (value) => value,
  odd: () => [NaN, -Infinity, [1, 2], { a: undefined }],
  unplain: () => new Set([1])
})
""",
    ),
    "go": (
        "probe.go",
        {
            "go.mod": "module example.com/calc\n\ngo 1.19\n",
            "calc.go": """package calc
import "errors"
func Add(a, b int) (int, error) {
	if a < 0 { return 0, errors.New("negative") }
	return a + b, nil
}
""",
        },
        """package main

import ("example.com/calc"; "math")

func main() {
	Serve(map[string]func(Args) (any, error){
		"add": func(a Args) (any, error) { return calc.Add(a.Int(0), a.Int(1)) },
		"echo": func(a Args) (value any, err error) { a.Into(0, &value); return },
		"odd": func(Args) (any, error) {
			return []any{math.NaN(), math.Inf(-1), []int{1, 2}, map[string]any{"a": nil}}, nil
		},
		"unplain": func(Args) (any, error) { panic(make(chan int)) },
	})
}
""",
    ),
    "rust": (
        "probe.rs",
        {
            "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
            "src/lib.rs": "pub fn add(a: i64, b: i64) -> Result<i64, String> {\n"
            '    if a < 0 { return Err("negative".into()); }\n    Ok(a + b)\n}\n',
        },
        """mod fairtrial_probe;
use fairtrial_probe::{serve, Value};

fn main() {
    serve(&[
        ("add", &|a| calc::add(a[0].int(), a[1].int()).map(Value::from)),
        ("echo", &|a| Ok(a[0].clone())),
        ("odd", &|_| Ok(Value::List(vec![
            f64::NAN.into(), f64::NEG_INFINITY.into(), vec![1, 2].into(),
            Value::Table(vec![("a".into(), ().into())]),
        ]))),
        ("unplain", &|_| panic!("no")),
    ])
}
""",
    ),
}
NEGATIVE = {"python": "ValueError", "node": "RangeError", "go": "negative", "rust": "negative"}
UNPLAIN = {"python": "TypeError", "node": "TypeError", "go": "panic", "rust": "panic"}
ECHOED = [
    None,
    True,
    7,
    -2.5,
    1e300,
    'é \U0001f600 " \\ \n \x07',
    [1, ["x"]],
    {"k": {"deep": [False]}},
]

each = pytest.mark.parametrize("language", PROBES)


@pytest.fixture
def asked(workspace, lay, offline):
    def put(language, cases):
        name, files, text = PROBES[language]
        lay(files)
        return ask(name, text.encode(), cases, workspace, timeout_s=120, env=offline)

    return put


def cases_of(language):
    odd = [{"$number": "NaN"}, {"$number": "-inf"}, [1, 2], {"a": None}]
    return [
        Case(name="adds", call="add", args=(40, 2), expect=42),
        Case(name="alone", call="add", args=(1, 1), expect=2, isolate=True),
        Case(name="negative", call="add", args=(-1, 2), raises=NEGATIVE[language]),
        Case(name="odd", call="odd", expect=odd),
        Case(name="unplain", call="unplain", raises=UNPLAIN[language]),
        *(
            Case(name=f"echo {value!r}", call="echo", args=(value,), expect=value)
            for value in ECHOED
        ),
    ]


@each
def test_right_code_passes_and_leaves_no_trace(asked, workspace, language):
    before = set(PROBES[language][1])
    outcome = asked(language, cases_of(language))
    assert (True, "", "") == (outcome.passed, outcome.code, outcome.why)
    left = {str(p.relative_to(workspace.root)) for p in workspace.root.rglob("*") if p.is_file()}
    ours = {name for name in left if "probe" in name and not name.startswith("target/")}
    assert (set(), set()) == (before - left, ours)
    assert not list(workspace.root.glob(".fairtrial*"))


@each
def test_a_wrong_case_is_named_with_both_values(asked, language):
    wrong = Case(name="wrong", call="add", args=(2, 2), expect=5)
    outcome = asked(language, [*cases_of(language)[:1], wrong])
    assert (False, "failed") == (outcome.passed, outcome.code)
    assert "wrong: wanted 5, got 4" == outcome.why.splitlines()[0]
    assert "1 of 2 cases" in outcome.output


@each
def test_a_function_that_is_not_there_is_a_failure(asked, language):
    outcome = asked(language, [Case(name="none", call="nope", expect=1)])
    assert outcome.passed is False
    assert "none: raised " in outcome.why


def test_a_program_that_is_not_there_is_told_apart(workspace):
    class Bare:
        root, inside = workspace.root, workspace.inside

        def run(self, *_args, **_options):
            raise FileNotFoundError("python3")

    with pytest.raises(FileNotFoundError):
        ask("probe.py", b"", [Case(name="a", call="a")], Bare(), timeout_s=5, env={})
