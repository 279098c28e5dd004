from pathlib import Path

import pytest
from fairtrial.api import RunError
from fairtrial.energy.receipts import Receipts, open_receipts


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
