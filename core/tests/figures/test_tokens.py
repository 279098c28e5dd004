from collections.abc import Callable

from fairtrial.api.record import Trial
from fairtrial.api.usage import Usage
from fairtrial.figures.tokens import token_sums

Make = Callable[..., Trial]


def test_a_sum_with_unknown_parts_says_how_many(make_trial: Make) -> None:
    trials = [
        make_trial(
            usage=(Usage(input_uncached=1000, output=5), Usage(input_uncached=1, output=2))
        ),
        make_trial(usage=(Usage(output=10),)),
        make_trial(),
    ]
    found = {total.bucket: str(total) for total in token_sums(trials)}
    assert found["input_uncached"] == "≥ 1,001 (2 unknown)"
    assert found["output"] == "≥ 17 (1 unknown)"
    assert found["cache_read"] == "–"


def test_metered_tokens_go_before_told_ones(make_trial: Make) -> None:
    trial = make_trial(usage=(Usage(output=1),), metered=(Usage(output=7),))
    found = {total.bucket: total.known for total in token_sums([trial])}
    assert found["output"] == 7
