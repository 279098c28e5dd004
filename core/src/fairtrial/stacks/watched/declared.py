"""
Which tests a test file declares, read from its text alone.

A test that is declared and did not run has vanished: the graded code has no business to skip it.
What can't be told from the text (tests made in loops, inherited ones) is left out, so that what is
found here must be there.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from attrs import frozen

from fairtrial.stacks.syntax import parsed
from fairtrial.stacks.watched.standing import Standing

_SKIPS = re.compile(r"skip|xfail|todo|ignore|expectedfailure", re.IGNORECASE)
_SKIPS_ALL = re.compile(r"importorskip|allow_module_level|SkipTest")
_GO = re.compile(r"^func (Test[A-Z_0-9]\w*|Test)\(", re.MULTILINE)
_RUST = re.compile(r"^#\[test\]\s*\n(?:\s*#\[.*\]\s*\n)*\s*fn (\w+)", re.MULTILINE)
_NODE = re.compile(r"""^(?:test|it)\(\s*(?:'([^'\\\n]+)'|"([^"\\\n]+)")""", re.MULTILINE)

_CHOOSING = {
    "pytest": ("-k", "-m", "--deselect", "--ignore", "--ignore-glob", "--lf", "--last-failed"),
    "unittest": ("-k", "-p", "--pattern"),
}
"""Options by which a command leaves tests out."""


@frozen(kw_only=True)
class Declared:
    """
    The tests of one file.

    Attributes:
        places: What the whole name of a test of this file begins with, in one runner or another.
        names: The tests, by what their whole names end with.
        functions: Those that are tests under pytest alone.
        skips: Whether the file may skip tests by itself.
        skips_all: Whether it may skip itself as a whole.
    """

    places: tuple[str, ...]
    names: frozenset[str]
    functions: frozenset[str]
    skips: bool
    skips_all: bool


def declared(path: PurePosixPath, text: str) -> Declared:
    """Reads a test file's declarations; a file that can't be read so declares nothing."""
    dotted = ".".join(path.with_suffix("").parts)
    modules = tuple(f"{dotted[at:]}." for at in _starts(dotted)) if path.suffix == ".py" else ()
    return Declared(
        places=(f"{path}::", *modules),
        names=frozenset(_names(path, text)),
        functions=frozenset(_functions(text)) if path.suffix == ".py" else frozenset(),
        skips=bool(_SKIPS.search(text)),
        skips_all=bool(_SKIPS_ALL.search(text)),
    )


def vanished(
    files: Mapping[PurePosixPath, str], ran: Mapping[str, bool | None], argv: tuple[str, ...]
) -> tuple[str, ...]:
    """
    Returns tests that the pristine files declare and that did not run, though their file did.

    Args:
        files: The text of each test file that no solver could change.
        ran: What the report says, by whole names; None for a test that was skipped.
        argv: The command; one that chooses tests by name says nothing of the others.
    """
    missing = list(left_out(files, ran))
    if _chooses(argv):
        return tuple(missing)
    standing, skipped, seen = Standing(ran), set[str](), set[str]()
    for path, text in files.items():
        one = declared(path, text)
        here = standing.at(one.names if path.suffix == ".go" else one.places, path)
        if not here and not _asked_for(path, one, argv):
            continue
        if any(word.startswith(one.places[1:2]) for word in argv if one.places[1:2]):
            continue
        under_pytest = any(stood.under_pytest for stood in here.values())
        due = one.names | one.functions if under_pytest else one.names
        counted = [due & (stood.ends if one.skips else stood.ran) for stood in here.values()]
        missing += [f"{path}: {name}" for name in sorted(due.difference(*counted))]
        if not one.skips:
            # Many files may share a place: what stands there is told once.
            skipped.update(*(here[place].skipped for place in here.keys() - seen))
            seen.update(here)
    return (*missing, *(f"{name} (skipped)" for name in sorted(skipped)))


def left_out(
    files: Mapping[PurePosixPath, str], ran: Mapping[str, bool | None]
) -> tuple[str, ...]:
    """
    Returns the pristine files that were skipped as a whole, though nothing in them speaks of it.

    The code that a test file imports can raise what a runner takes for a skip.
    """
    skipped = {
        name.removeprefix("unittest.loader.ModuleSkipped.")
        for name, passed in ran.items()
        if passed is None and "::" not in name
    }
    places = {PurePosixPath(name.removesuffix("/__init__.py")) for name in skipped}
    found = []
    for path, text in files.items() if skipped else ():
        one = declared(path, text)
        held = not places.isdisjoint({path, *path.parents})
        if not one.skips_all and (held or not skipped.isdisjoint(_holders(one))):
            found.append(f"{path} (skipped as a whole)")
    return tuple(found)


def _holders(one: Declared) -> Iterator[str]:
    """Yields the modules and packages that a file is or stands in, by each of their names."""
    for module in one.places[1:]:
        yield from (module[: match.start()] for match in re.finditer(r"\.", module))


def _chooses(argv: tuple[str, ...]) -> bool:
    known = [word.rpartition("/")[2] for word in argv[:4]]
    at = next((at for at, word in enumerate(known) if word in _CHOOSING), None)
    if at is None:
        return False
    rest = argv[at + 1 :]
    return any(word.partition("=")[0] in _CHOOSING[known[at]] or "::" in word for word in rest)


def _starts(dotted: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer(r"\.", dotted))]


def _asked_for(path: PurePosixPath, one: Declared, argv: tuple[str, ...]) -> bool:
    words = {word.removeprefix("./") for word in argv}
    return str(path) in words or any(place.rstrip(".") in words for place in one.places[1:2])


def _names(path: PurePosixPath, text: str) -> Iterator[str]:
    if path.suffix == ".py":
        yield from _python(text)
    elif path.suffix == ".go":
        yield from _GO.findall(text)
    elif path.suffix == ".rs":
        yield from _RUST.findall(text)
    else:
        yield from (one or two for one, two in _NODE.findall(text))


def _python(text: str) -> Iterator[str]:
    for node in _body(text):
        if isinstance(node, ast.ClassDef) and _is_case(node):
            yield from (f"{node.name}.{name}" for name in _methods(node.body))


def _functions(text: str) -> Iterator[str]:
    """Yields what pytest takes for tests by its defaults."""
    body = _body(text)
    yield from _methods(body)
    for node in body:
        if not isinstance(node, ast.ClassDef) or node.bases or node.decorator_list:
            continue
        made = any(
            isinstance(one, ast.FunctionDef) and one.name == "__init__" for one in node.body
        )
        if node.name.startswith("Test") and not made:
            yield from (f"{node.name}.{name}" for name in _methods(node.body))


def _body(text: str) -> list[ast.stmt]:
    if "__test__" in text:
        return []
    tree = parsed(text)
    return [] if tree is None else tree.body


def _is_case(node: ast.ClassDef) -> bool:
    """Tells whether a class is surely one of tests: it says so by what it is made from."""
    bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
    return any(base.endswith("TestCase") for base in bases) and not node.decorator_list


def _methods(body: list[ast.stmt]) -> Iterator[str]:
    for each in body:
        if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if each.name.startswith("test") and not each.decorator_list:
            yield each.name
