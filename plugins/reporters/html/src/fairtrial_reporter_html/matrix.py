"""The matrix of task × solver: each trial a square, in the order in which patterns show."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen
from fairtrial.api.record import PlannedTask, RunRecord
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


@frozen(kw_only=True)
class Row:
    """
    One task.

    Attributes:
        task: As it was planned.
        cells: For each solver, the states of its trials, in the order of rollouts.
        solved: How many agents resolved it in any trial.
        split: 0 where half of the agents resolved it, more the more of them agree.
        alike: The state of all trials of agents, where they have one in common; else None.
    """

    task: PlannedTask
    cells: tuple[tuple[State, ...], ...]
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
    found = [_states(tally) for tally in arms]
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


def _states(tally: Tally) -> Mapping[str, Mapping[int, State]]:
    """Returns, by task and rollout, what became of a solver's trials."""
    found: dict[str, dict[int, State]] = {task: {} for task in tally.tasks}
    for trial, outcome in zip(tally.attempted, tally.outcomes, strict=True):
        found[trial.task][trial.rollout] = state_of(trial, outcome)
    for trial in (*tally.infra, *tally.unfinished):
        found[trial.task][trial.rollout] = state_of(trial, None)
    return found


def _row(
    task: PlannedTask,
    arms: Sequence[Tally],
    found: Sequence[Mapping[str, Mapping[int, State]]],
    rollouts: int,
) -> Row:
    cells = tuple(
        tuple(states[task.id].get(rollout, State.UNFINISHED) for rollout in range(1, rollouts + 1))
        for states in found
    )
    agents = [cell for tally, cell in zip(arms, cells, strict=True) if not tally.control] or cells
    seen = {state for cell in agents for state in cell}
    solved = sum(any(state in _SOLVED for state in cell) for cell in agents)
    return Row(
        task=task,
        cells=cells,
        solved=solved,
        split=abs(2 * solved - len(agents)),
        alike=next(iter(seen)) if len(seen) == 1 else None,
    )


_SOLVED = frozenset({State.RESOLVED, State.BOUGHT})


def _count(row: Row, state: State) -> int:
    return sum(cell.count(state) for cell in row.cells)


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


def _cell(states: Sequence[State]) -> Html:
    counts = Counter(states)
    ordered = [state for state in State if counts[state]]
    told = (
        ", ".join(f"{counts[state]} {state.value.words}" for state in ordered)
        if len(states) > 1
        else states[0].value.words
    )
    if len(states) <= MOST_SQUARES:
        squares = [square(state) for state in states]
    else:
        squares = [square(state, counts[state]) for state in ordered]
    return element("td", *squares, title=told)


def _legend(rows: Sequence[Row]) -> Html:
    """Returns the states that occur, with their squares."""
    seen = {state for row in rows for cell in row.cells for state in cell}
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
