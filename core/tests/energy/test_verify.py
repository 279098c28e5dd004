"""V23: what a change of the receipts is told by."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.api import RunError
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.energy.receipts import START, digest
from fairtrial.energy.verify import verify, verify_lines

J = 10**6


@pytest.fixture
def lines(rig, tmp_path) -> list[bytes]:
    own = rig()
    with own.ledger:
        for _ in range(2):
            with own.ledger.window("a") as window:
                own.passes(10, pkg0=100 * J)
            window.energies()
        own.ledger.sample()
    return (tmp_path / "energy.jsonl").read_bytes().splitlines()


def first(lines: list[bytes], op: str) -> int:
    return next(index for index, line in enumerate(lines) if json.loads(line)["op"] == op)


def chained(lines: list[bytes], change: Callable[[dict], None], at: int) -> list[bytes]:
    """Changes one record and makes the whole chain anew, as a forger would."""
    head, found = START, []
    for index, line in enumerate(lines):
        record = json.loads(line)
        if index == at:
            change(record)
        record["prev"] = head
        if record["op"] == "close":
            record["head"] = head
        found.append(json.dumps(record, sort_keys=True, separators=(",", ":")).encode())
        head = digest(found[-1])
    return found


def test_v23_untouched_receipts_hold(lines) -> None:
    found = verify_lines(lines)

    assert ("", len(lines), {"host": 200 * J}) == (found.problem, found.records, found.totals)


def test_joules_of_an_attempt_that_was_made_again_are_told_apart(rig, tmp_path) -> None:
    own = rig()
    with own.ledger:
        for label, joules in (("a", 100), ("b", 7), ("a", 30), ("a", 1)):
            with own.ledger.window(label) as window:
                own.passes(10, pkg0=joules * J)
            window.energies()
    found = verify_lines((tmp_path / "energy.jsonl").read_bytes().splitlines())

    assert {"host": 138 * J} == found.totals
    assert (2, {"host": 130 * J}) == (found.repeats, found.repeated)


@pytest.mark.parametrize("opens", [True, False])
def test_receipts_hold_in_whatever_order_meters_tell_what_they_cant_read(
    host, meter, counter, tmp_path, opens
) -> None:
    # Receipts sort their keys, and so tell another order than the meters did.
    missing = {"intel-rapl:1": "only root may read it", "dram0": "gone"}
    counters = (counter(),) if opens else ()
    meters = {name: meter(counters=counters, unavailable=missing) for name in ("rapl", "nvml")}
    path = tmp_path / "energy.jsonl"
    with EnergyLedger(meters=meters, host=host, path=path, keepalive_s=None) as ledger:
        with ledger.window("a") as window:
            host.clock.advance(10)
        window.energies()

    assert "" == verify(path).problem


def test_v23_a_changed_digit_shows_at_the_next_record(lines) -> None:
    at = first(lines, "read")
    lines[at] = lines[at].replace(b'"busy', b'"busx').replace(b'"boot":1', b'"boot":2')

    assert (at + 1, "the chain is broken: the record before was changed or removed") == (
        verify_lines(lines).record,
        verify_lines(lines).problem,
    )


def test_v23_a_change_of_the_last_reading_shows_at_the_head(lines) -> None:
    lines[-2] = lines[-2].replace(b"200000000", b"200000001")

    found = verify_lines(lines)

    assert "count or head differ: the record before was changed or removed" == found.problem


def test_v23_a_removed_last_record_shows_by_count_and_head(lines) -> None:
    without_record = verify_lines([*lines[:-2], lines[-1]])
    without_end = verify_lines(lines[:-1])

    assert "count or head differ: the record before was changed or removed" == (
        without_record.problem
    )
    assert "count and head are missing: the last record was cut off" == without_end.problem


def test_a_forged_chain_still_has_to_add_up(lines) -> None:
    def inflate(record: dict) -> None:
        record["accounts"][0]["gross_uj"] -= 1

    forged = chained(lines, inflate, first(lines, "energy"))

    found = verify_lines(forged)

    assert "its joules do not follow from the readings" == found.problem
    assert first(lines, "energy") == found.record


def test_words_of_another_version_are_no_forgery(lines) -> None:
    def reword(record: dict) -> None:
        record["accounts"][0]["why"] = "said otherwise"

    assert not verify_lines(chained(lines, reword, first(lines, "energy"))).problem


def test_v23_a_change_of_the_totals_in_the_last_record_shows_there(lines) -> None:
    lines[-1] = lines[-1].replace(b'"totals":{"host":200000000}', b'"totals":{"host":1}')

    found = verify_lines(lines)

    assert "its totals are not the sums of its windows" == found.problem
    assert len(lines) - 1 == found.record


@pytest.mark.parametrize(
    ("was", "became"),
    [
        (b'"totals":{', b'"note":"checked","totals":{'),
        (b'"totals":{', b'"totals":{"host":1},"totals":{'),
        (b'"host":200000000}', b'"host":200000000.0}'),
        (b'"totals":{', b'"totals": {'),
    ],
)
def test_v23_any_change_of_the_last_record_shows_there(lines, was, became) -> None:
    assert was in lines[-1]
    lines[-1] = lines[-1].replace(was, became)

    found = verify_lines(lines)

    assert "it holds something else than a last record does" == found.problem
    assert len(lines) - 1 == found.record


def test_a_window_counts_once_whatever_the_chain_says(lines) -> None:
    twice = first(lines, "energy")
    lines.insert(twice + 1, lines[twice])

    def count_both(record: dict) -> None:
        record["totals"]["host"] += 100 * J
        record["count"] += 1

    found = verify_lines(chained(lines, count_both, len(lines) - 1))

    assert (twice + 1, "its window was counted before") == (found.record, found.problem)


def test_the_totals_of_a_run_that_goes_on_are_each_sittings_own(rig, tmp_path) -> None:
    for _ in range(2):
        own = rig()
        with own.ledger:
            with own.ledger.window("a") as window:
                own.passes(10, pkg0=100 * J)
            window.energies()
    found = verify(tmp_path / "energy.jsonl")

    assert ("", {"host": 200 * J}) == (found.problem, found.totals)


@pytest.mark.parametrize("unit", ["1/0", "1" + "0" * 400, "1e99999999999", "0." + "0" * 9999])
def test_a_forged_number_that_cant_be_reckoned_with_is_named_and_never_raises(lines, unit) -> None:
    def forge(record: dict) -> None:
        for counter in record["counters"].values():
            counter["unit"] = unit

    found = verify_lines(chained(lines, forge, 0))

    assert (0, True) == (found.record, found.problem.startswith("it can't be understood: "))


def test_a_text_in_place_of_a_number_of_processors_is_named(lines) -> None:
    found = verify_lines(chained(lines, lambda record: record.update(processors="9"), 0))

    assert "it can't be understood: '9' is no number of processors" == found.problem


def test_what_is_wrong_is_told_in_few_words(lines) -> None:
    found = verify_lines(chained(lines, lambda record: record.update(op="x" * 10**6), 1))

    assert len(found.problem) < 1100


def test_receipts_of_another_version_are_not_read_as_if_they_were_of_this_one(lines) -> None:
    def age(record: dict) -> None:
        record["version"] = 3

    found = verify_lines(chained(lines, age, 0))

    assert (
        "it can't be understood: it is of version 3, and this program reads 1 and 2"
        == found.problem
    )


def test_receipts_of_the_first_version_still_give_the_same_figures() -> None:
    found = verify(Path(__file__).with_name("version-1.jsonl"))

    assert ("", 4, {"host": 700 * J}, {"fix, host": 1050 * J}) == (
        found.problem,
        found.windows,
        found.totals,
        found.batches,
    )


def test_records_hold_integers_and_text_only(lines) -> None:
    def refuse(text: str) -> None:
        raise AssertionError(text)

    for line in lines:
        json.loads(line, parse_float=refuse, parse_constant=refuse)


@pytest.mark.parametrize(
    "line", [b"{", b"[]", b'{"op":"open"}', b'{"op":"dance","prev":"0"}', b"[" * 200_000]
)
def test_what_is_no_record_is_named_and_never_raises(line) -> None:
    assert 0 == verify_lines([line]).record


def test_a_file_that_is_not_there_is_an_error_with_a_way_on(tmp_path: Path) -> None:
    with pytest.raises(RunError) as caught:
        verify(tmp_path / "energy.jsonl")

    assert "name the directory of a run that had a meter" == caught.value.way_on
