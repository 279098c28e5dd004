import itertools

from fairtrial.energy.watching import intervals


def test_each_interval_has_what_it_used(rig) -> None:
    rig = rig()
    rig.meter.on_read = lambda: rig.meter.counts.update(pkg0=rig.host.clock.now_ns // 40)
    with rig.ledger:
        found = list(itertools.islice(intervals(rig.ledger, 2.0), 2))

    assert [[50 * 10**6]] * 2 == [[own.gross_uj for own in each] for each in found]


def test_a_meter_that_can_not_be_opened_is_told_with_its_reason(rig, meter) -> None:
    rig = rig(meter(counters=(), counts={}, unavailable={"pkg0": "only root may read it"}))
    with rig.ledger:
        ((account,),) = itertools.islice(intervals(rig.ledger, 2.0), 1)

    assert (None, "only root may read it; it has no counter to read") == (
        account.gross_uj,
        account.why,
    )
