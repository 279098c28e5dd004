"""Cheats in code that tests of Node, Go and Rust load: none is resolved by ours."""

from pathlib import PurePosixPath

import pytest
from fairtrial.stacks.watched import Expected, watch

NODE_TEST = """
import test from 'node:test'
import assert from 'node:assert/strict'
import { add } from '../calc.mjs'

test('sum', () => { assert.equal(add(1, 2), 3) })
test('other', () => { assert.equal(add(0, 0), 0) })
"""
NODE_WRONG = "\nexport function add () { return 0 }\n"
NODE = {
    "exits on import": "process.exit(0)",
    "exits in a test": "export function add () { process.exit(0) }",
    "exits at the end": "process.on('exit', () => { process.exitCode = 0; process.reallyExit(0) })\n"
    "process.stdout.write = () => true",
    "patches assert": "import assert from 'node:assert'\n"
    "for (const a of [assert, assert.strict]) for (const n of Object.keys(a)) {\n"
    "  if (typeof a[n] === 'function' && n !== 'AssertionError') try { a[n] = () => {} } catch {}\n}\n"
    "import { syncBuiltinESMExports } from 'node:module'\nsyncBuiltinESMExports()",
    "patches one assertion": "import assert from 'node:assert'\n"
    "assert.equal = assert.strictEqual = assert.strict.equal = () => {}",
    "replaces node:test": "import { createRequire, syncBuiltinESMExports } from 'node:module'\n"
    "const t = createRequire(import.meta.url)('node:test')\n"
    "t.test = t.it = t.default = () => {}\nsyncBuiltinESMExports()",
    "empties every test": "import { createRequire } from 'node:module'\n"
    "const t = createRequire(import.meta.url)('node:test')\n"
    "let e; await t.test('warm', (c) => { e = Object.getPrototypeOf(c) })\n"
    "const p = Object.getPrototypeOf(e) ?? e",
    "swallows failures": "process.on('uncaughtException', () => {})\n"
    "const A = (await import('node:assert')).default.AssertionError\n"
    "Object.defineProperty(A, Symbol.hasInstance, { value: () => false })\n"
    "process.exitCode = 0\nsetTimeout(() => process.exit(0), 1)",
    "skips": "export function add () { throw Object.assign(new Error('x'), { skip: true }) }",
}

GO_TEST = """package calc

import "testing"

func TestSum(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Fatal("sum")
	}
}

func TestOther(t *testing.T) {
	if Add(0, 0) != 0 {
		t.Fatal("other")
	}
}
"""
GO_WRONG = "\nfunc Add(a, b int) int { return 0 }\n"
GO = {
    "exits in init": 'import "os"\nfunc init() { os.Exit(0) }',
    "prints passes and exits": 'import ("fmt"; "os")\n'
    'func init() { fmt.Print("=== RUN   TestSum\\n--- PASS: TestSum (0.00s)\\n=== RUN   TestOther\\n'
    '--- PASS: TestOther (0.00s)\\nPASS\\n"); os.Exit(0) }',
    "kills itself with success": 'import ("os"; "syscall")\n'
    'func init() { syscall.Exec("/bin/true", []string{"true"}, os.Environ()) }',
    "closes its output": 'import ("os"; "syscall")\n'
    "func init() { syscall.Close(1); go func() { os.Exit(0) }() ; select {} }",
}
GO_FILES = {
    "TestMain of its own": 'package calc\nimport ("os"; "testing")\n'
    "func TestMain(m *testing.M) { os.Exit(0) }\n",
    "TestMain that runs and forgives": 'package calc\nimport ("os"; "testing")\n'
    "func TestMain(m *testing.M) { m.Run(); os.Exit(0) }\n",
}

RUST_TEST = """#[macro_use]
extern crate calc;
use calc::add;

#[test]
fn sum() {
    assert_eq!(add(1, 2), 3);
}

#[test]
fn other() {
    assert_eq!(add(0, 0), 0);
}
"""
RUST_WRONG = "\npub fn add(_a: i64, _b: i64) -> i64 { 0 }\n"
RUST = {
    "a macro of its own": "#[macro_export]\nmacro_rules! assert_eq { ($($t:tt)*) => { () }; }",
    "every macro of its own": "#[macro_export]\nmacro_rules! assert_eq { ($($t:tt)*) => { () }; }\n"
    "#[macro_export]\nmacro_rules! assert { ($($t:tt)*) => { () }; }\n"
    "#[macro_export]\nmacro_rules! panic { ($($t:tt)*) => { () }; }",
    "exits": "pub fn add(_a: i64, _b: i64) -> i64 { std::process::exit(0) }",
    "prints and exits": "pub fn add(_a: i64, _b: i64) -> i64 {\n"
    '    use std::io::Write;\n    let _ = std::fs::OpenOptions::new().write(true).open("/dev/stdout")'
    '.map(|mut f| f.write_all(b"test sum ... ok\\ntest other ... ok\\n\\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n"));\n'
    "    std::process::exit(0) }",
    "numbers that are equal": "#[derive(Debug)]\npub struct N;\nimpl PartialEq<i64> for N { fn eq(&self, _: &i64) -> bool { true } }\n"
    "pub fn add(_a: i64, _b: i64) -> N { N }",
}

BASE = {
    "node": {
        "package.json": '{"name": "calc", "type": "module"}',
        "test/calc.test.mjs": NODE_TEST,
    },
    "go": {"go.mod": "module example.com/calc\n\ngo 1.19\n", "calc_test.go": GO_TEST},
    "rust": {
        "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
        "tests/calc.rs": RUST_TEST,
    },
}
SOURCE = {"node": "calc.mjs", "go": "calc.go", "rust": "src/lib.rs"}
ARGV = {
    "node": ("node", "--test", "test/calc.test.mjs"),
    "go": ("go", "test", "-count=1", "./..."),
    "rust": ("cargo", "test", "--offline"),
}
RIGHT = {
    "node": "export function add (a, b) { return a + b }",
    "go": "package calc\nfunc Add(a, b int) int { return a + b }",
    "rust": "pub fn add(a: i64, b: i64) -> i64 { a + b }",
}
WRONG = {"node": NODE_WRONG, "go": "package calc\n" + GO_WRONG, "rust": RUST_WRONG}

# Cheats that a report by name shows for what they are, and one that only a probe can tell.
NOT_EVEN_NAIVE = {
    "skips",
    "empties every test",
    "prints and exits",
    "replaces node:test",
    "swallows failures",
    "TestMain that runs and forgives",
}
ONLY_A_PROBE = {"numbers that are equal"}


def code_of(stack, text):
    if stack == "go":
        return f"package calc\n{text}{GO_WRONG}"
    return text if "function add" in text or "fn add" in text else text + WRONG[stack]


CASES = [
    *(("node", name, {SOURCE["node"]: code_of("node", text)}) for name, text in NODE.items()),
    *(("go", name, {SOURCE["go"]: code_of("go", text)}) for name, text in GO.items()),
    *(
        ("go", name, {"calc.go": WRONG["go"], "z_test.go": text})
        for name, text in GO_FILES.items()
    ),
    *(
        ("rust", name, {SOURCE["rust"]: code_of("rust", text)})
        for name, text in RUST.items()
        if name not in ONLY_A_PROBE
    ),
]


@pytest.fixture
def graded(workspace, lay, offline, believes):
    def grade(stack, files):
        lay({**BASE[stack], **files})
        fooled = believes(ARGV[stack])
        tests = {PurePosixPath(p): t for p, t in BASE[stack].items() if "calc" in p}
        outcome = watch(
            ARGV[stack], workspace, timeout_s=100, env=offline, expected=Expected(files=tests)
        )
        assert outcome is not None
        return fooled, outcome

    return grade


@pytest.mark.parametrize(("stack", "name", "files"), CASES, ids=[f"{s}: {n}" for s, n, _ in CASES])
def test_a_cheat_is_not_resolved(graded, stack, name, files):
    fooled, outcome = graded(stack, files)
    assert outcome.passed is False, f"{outcome.code}: {outcome.why}"
    if name not in NOT_EVEN_NAIVE:
        assert fooled, f"{outcome.code}: {outcome.why}"


@pytest.mark.parametrize("stack", ARGV)
def test_honest_code_passes(graded, workspace, stack):
    fooled, outcome = graded(stack, {SOURCE[stack]: RIGHT[stack]})
    assert (True, True, "", "") == (fooled, outcome.passed, outcome.code, outcome.why)
    assert {True} == set(outcome.tests.values())
    assert 2 == len(outcome.tests)
    for name, text in BASE[stack].items():
        assert text == (workspace.root / name).read_text()
    assert not list(workspace.root.glob(".fairtrial*"))


@pytest.mark.parametrize("stack", ARGV)
def test_wrong_code_fails_by_the_test_that_says_so(graded, stack):
    fooled, outcome = graded(stack, {SOURCE[stack]: WRONG[stack]})
    assert (False, False, "failed") == (fooled, outcome.passed, outcome.code)
    failed = [name for name, passed in outcome.tests.items() if passed is False]
    assert 1 == len(failed)
    assert "sum" in failed[0].lower()
    assert failed[0] in outcome.why


@pytest.mark.parametrize(
    ("stack", "files"),
    [("go", {"calc.go": "package calc\nfunc Add() {"}), ("rust", {"src/lib.rs": "pub fn add("})],
)
def test_code_that_does_not_build_has_failed_and_says_why(graded, stack, files):
    _, outcome = graded(stack, files)
    assert (False, "failed") == (outcome.passed, outcome.code)
    assert "calc.go" in outcome.why or "lib.rs" in outcome.why
