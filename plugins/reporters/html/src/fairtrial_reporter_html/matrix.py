"""The matrix of task × solver: each trial a square, in the order in which patterns show."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen
from fairtrial.api.record import PlannedTask, RunRecord, Trial
from fairtrial.figures.markdown import safe
from fairtrial.figures.pairs import reasons, remark
from fairtrial.figures.tally import Tally

from fairtrial_reporter_html.markup import (
    NOTHING,
    Html,
    element,
    join,
    name,
    paragraph,
    text,
    wide,
)
from fairtrial_reporter_html.states import State, square, state_of

NAME_LIMIT = 48
"""Most characters of a task's or a solver's name."""

MOST_SQUARES = 8
"""Up to so many rollouts each one has a square of its own; of more, each kind is counted."""

_WHY_LIMIT = 400
"""Most characters of why trials of one state are in it."""


@frozen
class Square:
    """
    One trial.

    Attributes:
        state: What became of it.
        whys: Why, where it is not resolved.
    """

    state: State
    whys: tuple[str, ...] = ()


@frozen(kw_only=True)
class Row:
    """
    One task.

    Attributes:
        task: As it was planned.
        cells: For each solver, its trials in the order of rollouts.
        solved: How many agents resolved it in any trial.
        split: 0 where half of the agents resolved it, more the more of them agree.
        alike: The state of all trials of agents, where they have one in common; else None.
    """

    task: PlannedTask
    cells: tuple[tuple[Square, ...], ...]
    solved: int
    split: int
    alike: State | None


def matrix(record: RunRecord, arms: Sequence[Tally], most_tasks: int) -> Html:
    """
    Returns the matrix as a table; empty where nothing was planned.

    Args:
        record: The run.
        arms: Its tallies, control arms last.
        most_tasks: Most rows; those that split agents most evenly are kept.
    """
    ordered = sorted(arms, key=lambda tally: tally.control)
    rows = _rows(record, ordered)
    if not rows:
        return NOTHING
    shown, left = _capped(rows, most_tasks)
    kind = "grid tall" if len(ordered) > MOST_SQUARES else "grid"
    parts = (
        element("caption", text("Tasks and solvers, each trial a square")),
        element("thead", _head(ordered)),
        element("tbody", *_body(shown, len(ordered))),
    )
    scrolled = wide(element("table", *parts, class_=kind), "Tasks and solvers")
    return join((_legend(rows), scrolled, _more(left)))


def _rows(record: RunRecord, arms: Sequence[Tally]) -> list[Row]:
    """Returns the rows: families together, those solved most first, and in them likewise."""
    sound = set(arms[0].tasks) if arms else set()
    found = [_squares(tally) for tally in arms]
    tasks = [task for task in record.tasks if task.id in sound]
    rows = [_row(task, arms, found, record.rollouts) for task in tasks]
    families: dict[str, list[int]] = {}
    for row in rows:
        families.setdefault(row.task.family, []).append(row.solved)
    easy = {family: max(solved) for family, solved in families.items()}
    return sorted(
        rows,
        key=lambda row: (
            -easy[row.task.family],
            row.task.family,
            -row.solved,
            -_count(row, State.RESOLVED),
            row.task.id,
        ),
    )


def _squares(tally: Tally) -> Mapping[str, Mapping[int, Square]]:
    """Returns, by task and rollout, what became of a solver's trials."""
    found: dict[str, dict[int, Square]] = {task: {} for task in tally.tasks}
    for trial, outcome in zip(tally.attempted, tally.outcomes, strict=True):
        found[trial.task][trial.rollout] = _square(trial, outcome)
    for trial in (*tally.infra, *tally.unfinished):
        found[trial.task][trial.rollout] = _square(trial, None)
    return found


def _square(trial: Trial, outcome: bool | None) -> Square:
    whys = tuple(filter(None, (*reasons(trial), remark(trial))))
    return Square(state_of(trial, outcome), whys)


def _row(
    task: PlannedTask,
    arms: Sequence[Tally],
    found: Sequence[Mapping[str, Mapping[int, Square]]],
    rollouts: int,
) -> Row:
    cells = tuple(
        tuple(
            squares[task.id].get(rollout, Square(State.UNFINISHED))
            for rollout in range(1, rollouts + 1)
        )
        for squares in found
    )
    agents = [cell for tally, cell in zip(arms, cells, strict=True) if not tally.control] or cells
    seen = {each.state for cell in agents for each in cell}
    solved = sum(any(each.state in _SOLVED for each in cell) for cell in agents)
    return Row(
        task=task,
        cells=cells,
        solved=solved,
        split=abs(2 * solved - len(agents)),
        alike=next(iter(seen)) if len(seen) == 1 else None,
    )


_SOLVED = frozenset({State.RESOLVED, State.BOUGHT})


def _count(row: Row, state: State) -> int:
    return sum(each.state is state for cell in row.cells for each in cell)


def _capped(rows: Sequence[Row], most: int) -> tuple[list[Row], list[Row]]:
    """Returns the rows to show and the others; those that split agents most evenly are shown."""
    if len(rows) <= most:
        return list(rows), []
    seen: Counter[str] = Counter()
    ranks = []
    for place, row in enumerate(rows):
        seen[row.task.family] += 1
        # Of equals a few of each family, so that no family fills the matrix alone.
        ranks.append((row.alike is not None, row.split, seen[row.task.family], place))
    kept = {place for *_, place in sorted(ranks)[:most]}
    shown = [row for place, row in enumerate(rows) if place in kept]
    return shown, [row for place, row in enumerate(rows) if place not in kept]


def _head(arms: Sequence[Tally]) -> Html:
    return element(
        "tr",
        element("th", text("Task"), scope="col"),
        *(
            element(
                "th",
                name(tally.solver, limit=NAME_LIMIT),
                scope="col",
                class_="ctl" if tally.control else None,
            )
            for tally in arms
        ),
    )


def _body(rows: Sequence[Row], columns: int) -> Iterator[Html]:
    sizes = Counter(row.task.family for row in rows)
    before = ""
    for row in rows:
        family = row.task.family
        grouped = sizes[family] > 1
        if grouped and family != before:
            title = name(family, limit=NAME_LIMIT)
            yield element(
                "tr", element("th", title, scope="rowgroup", colspan=columns + 1), class_="fam"
            )
        before = family
        label = name(row.task.id, limit=NAME_LIMIT)
        yield element(
            "tr",
            element("th", label, scope="row", class_="in" if grouped else None),
            *map(_cell, row.cells),
        )


def _cell(trials: Sequence[Square]) -> Html:
    counts = Counter(each.state for each in trials)
    ordered = [state for state in State if counts[state]]
    told = (
        f"{f'{counts[state]} ' * (len(trials) > 1)}{state.value.words}{_why(trials, state)}"
        for state in ordered
    )
    if len(trials) <= MOST_SQUARES:
        squares = [square(each.state) for each in trials]
    else:
        squares = [square(state, counts[state]) for state in ordered]
    return element("td", *squares, title=", ".join(told))


def _why(trials: Sequence[Square], state: State) -> str:
    """Returns why trials are in a state, each reason once, where it tells more than the state."""
    whys = dict.fromkeys(why for each in trials if each.state is state for why in each.whys)
    whys.pop(state.value.words, None)
    return f" ({safe('; '.join(whys), limit=_WHY_LIMIT)})" if whys else ""


def _legend(rows: Sequence[Row]) -> Html:
    """Returns the states that occur, with their squares."""
    seen = {each.state for row in rows for cell in row.cells for each in cell}
    entries = [
        element("span", square(state), text(f" {state.value.words}"))
        for state in State
        if state in seen
    ]
    return paragraph(join(entries), kind="legend")


def _more(left: Sequence[Row]) -> Html:
    if not left:
        return NOTHING
    kinds = Counter(row.alike for row in left)
    said = [
        f"{kinds[state]} on which every trial of an agent is: {state.value.words}"
        for state in State
        if kinds[state]
    ]
    said += [f"{kinds[None]} on which they differ"] if kinds[None] else []
    return paragraph(text(f"… and {len(left)} more tasks: {'; '.join(said)}."), kind="note")
