import os
from pathlib import Path

import pytest
from fairtrial.api import RunError
from fairtrial.energy.receipts import START, Receipts, digest, open_receipts


def test_a_full_disk_ends_the_receipts_and_raises_nothing() -> None:
    receipts = Receipts(file=Path("/dev/full").open("wb"))  # noqa: SIM115 - the receipts close it

    for _ in range(200):
        receipts.append({"op": "read", "filler": "x" * 100})
    receipts.close({})

    assert "No space left on device" == receipts.broken


def test_a_place_that_can_not_be_written_is_an_error_before_the_run(tmp_path) -> None:
    with pytest.raises(RunError) as caught:
        open_receipts(tmp_path / "missing" / "energy.jsonl")

    assert "give the run a directory that you may write to" == caught.value.way_on


def test_a_pipe_in_their_place_is_an_error_and_nobody_waits(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "energy.jsonl")

    with pytest.raises(RunError) as caught:
        open_receipts(tmp_path / "energy.jsonl")

    assert (("because", "it is no file"),) == caught.value.facts


def test_lines_are_canonical_and_chained_also_where_a_value_is_odd(tmp_path: Path) -> None:
    path = tmp_path / "energy.jsonl"
    receipts = open_receipts(path)
    receipts.append({"z": 1, "a": {"y": None, "x": [2**64 - 1]}})
    receipts.append({"value": 2**70, "name": "\ud800"})
    receipts.append({"name": "µJ"})
    receipts.close({})

    first, second, third, _ = path.read_bytes().splitlines()
    assert f'{{"a":{{"x":[{2**64 - 1}],"y":null}},"prev":"{START}","z":1}}'.encode() == first
    assert f'{{"name":"\\ud800","prev":"{digest(first)}","value":{2**70}}}'.encode() == second
    assert f'{{"name":"µJ","prev":"{digest(second)}"}}'.encode() == third
