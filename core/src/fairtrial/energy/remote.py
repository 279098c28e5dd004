"""
What a model in somebody's data centre may have used, from tokens: an estimate and a wide one.

No single method is believed. Each is pinned with its version, because a release of one moved the
same model by a factor of 44; the figure is the geometric mean, with the lowest and the highest
beside it. That range is no confidence interval. A model that no method knows has no figure.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence

from attrs import field, frozen
from attrs.validators import ge

from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.usage import Usage

J_PER_WH = 3600.0


@frozen(kw_only=True)
class Tokens:
    """
    Tokens of a stretch of work, in parts that don't overlap.

    Attributes:
        fresh_in: Read for the first time.
        cache_read: Taken from the provider's cache.
        cache_write: Put into it.
        out: Written, reasoning included.
    """

    fresh_in: int = field(default=0, validator=ge(0))
    cache_read: int = field(default=0, validator=ge(0))
    cache_write: int = field(default=0, validator=ge(0))
    out: int = field(default=0, validator=ge(0))


@frozen(kw_only=True)
class Estimate:
    """
    One method's range for some tokens, in watt hours.

    Attributes:
        method: Its name with the version that is pinned.
        low_wh: The lower end; equal to the upper where the method gives one number.
        high_wh: The upper end.
    """

    method: str
    low_wh: float
    high_wh: float


@frozen(kw_only=True)
class _Size:
    """A guess at a closed model: active and total parameters in billions, and its class."""

    pattern: str
    active_b: tuple[float, float]
    total_b: float
    wh_per_mtok_out: float


# Parameter counts of closed models are guesses (EcoLogits 0.11.3 publishes ranges); the class is
# the output coefficient of the nearest model that Jegham et al. 2025 measured.
_SIZES = (
    _Size(pattern=r"opus", active_b=(67, 200), total_b=670, wh_per_mtok_out=2600),
    _Size(pattern=r"sonnet", active_b=(29, 88), total_b=293, wh_per_mtok_out=2600),
    _Size(pattern=r"gpt-4o(?!-mini)", active_b=(44, 132), total_b=440, wh_per_mtok_out=1233),
)

_BATCH = 64
_GPU_GB = 80
_BITS = 16
_GPUS_PER_SERVER = 8
_SERVER_KW = 1.2
_PUE = 1.12

_ECOLOGITS = "ecologits 0.11.3"
_COUCH = "couch 2026-01"
_JEGHAM = "jegham 2025 fit 1"


def estimates(model: str, tokens: Tokens) -> tuple[Estimate, ...]:
    """Returns every method's range for a model's tokens; none for a model nobody knows."""
    size = _size(model)
    if size is None:
        return ()
    return tuple(method(size, tokens) for method in _METHODS)


def energy(work: Mapping[str, Tokens]) -> Energy:
    """
    Estimates the joules of remote inference.

    Args:
        work: Tokens by model.

    Returns:
        A figure at the boundary `remote-inference`, labelled an estimate: the geometric mean with
        the lowest and the highest of all methods. None where any model is unknown, with its name.
    """
    if not work:
        return _figure(flags=("no-tokens",), why="no tokens are known")
    unknown = [model for model in work if _size(model) is None]
    if unknown:
        name = next(filter(None, unknown), "")
        why = f"no method knows the model “{name}”" if name else "no model is named"
        return _figure(flags=("unknown-model",), why=why)
    found = [estimates(model, tokens) for model, tokens in work.items()]
    low_j = sum(min(own.low_wh for own in methods) for methods in found) * J_PER_WH
    high_j = sum(max(own.high_wh for own in methods) for methods in found) * J_PER_WH
    names = "+".join(own.method for own in found[0])
    return _figure(joules=math.sqrt(low_j * high_j), low_j=low_j, high_j=high_j, meter=names)


def tokens_of(usage: Usage) -> Tokens | None:
    """Returns a record's tokens as this module wants them; None where the main two are unknown."""
    if usage.input_uncached is None or usage.output is None:
        return None
    return Tokens(
        fresh_in=usage.input_uncached,
        cache_read=usage.cache_read or 0,
        cache_write=(usage.cache_write_5m or 0) + (usage.cache_write_1h or 0),
        out=usage.output,
    )


def of_usage(entries: Sequence[Usage]) -> tuple[Energy, ...]:
    """
    Estimates the remote joules of an attempt, as `Trial.energy` holds them.

    Args:
        entries: `Trial.metered` where a gateway counted, else `Trial.usage`.

    Returns:
        One figure, beside the local ones and never added to them; none where no model worked
        remotely as far as is known.
    """
    if not entries:
        return ()
    work: dict[str, Tokens] = {}
    for usage in entries:
        tokens = tokens_of(usage)
        if tokens is None:
            return (_figure(flags=("no-tokens",), why="the tokens of a model are not known"),)
        work[usage.model or ""] = _sum(work.get(usage.model or "", Tokens()), tokens)
    return (energy(work),)


def side_by_side(local: tuple[Energy, ...], entries: Sequence[Usage]) -> tuple[Energy, ...]:
    """
    Returns an attempt's local figures with the remote estimate beside them, never added.

    Args:
        local: What the meters of the run saw; none where none was configured, and then there is
            no estimate either.
        entries: As `of_usage` takes them.
    """
    return (*local, *of_usage(entries)) if local else local


def _sum(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(
        fresh_in=one.fresh_in + other.fresh_in,
        cache_read=one.cache_read + other.cache_read,
        cache_write=one.cache_write + other.cache_write,
        out=one.out + other.out,
    )


def ecologits_wh(
    active_b: float, total_b: float, out: int, *, pue: float = _PUE, batch: int = _BATCH
) -> float:
    """
    Returns the watt hours of output tokens by the formula of EcoLogits 0.11.3.

    Energy a token and latency are fits over parameters and batch; the server's share is its power
    by the latency. Input tokens do not appear in it, which is far too little for an agent.

    Args:
        active_b: Active parameters in billions.
        total_b: All parameters in billions, which say how many GPUs hold them.
        out: Output tokens.
        pue: What the building adds.
        batch: Requests that a server answers at once.
    """
    per_token_kwh = (
        1.1665273170451914e-06 * math.exp(-0.011205921025579175 * batch) * active_b
        + 4.052928146734005e-05
    ) / 1000
    latency_s = out * (
        6.785088094353663e-04 * active_b + 3.119310311688259e-04 * batch + 0.019473717579473387
    )
    gpus: int = 2 ** math.ceil(math.log2(math.ceil(1.2 * total_b * _BITS / 8 / _GPU_GB)))
    server_kwh = latency_s / 3600 * _SERVER_KW * gpus / _GPUS_PER_SERVER / batch
    return pue * (server_kwh + gpus * per_token_kwh * out) * 1000


def couch_wh(tokens: Tokens) -> float:
    """Returns watt hours by Couch's coefficients of January 2026, per kind of token."""
    weighed = 390 * tokens.fresh_in + 1950 * tokens.out
    return (weighed + 39 * tokens.cache_read + 490 * tokens.cache_write) / 1e6


def jegham_wh(wh_per_mtok_out: float, tokens: Tokens) -> float:
    """
    Returns watt hours by a fit to the table of Jegham et al. 2025.

    Input is a twentieth of output, a cache read a two-hundredth: an order of magnitude only.
    """
    weighed = 0.05 * tokens.fresh_in + tokens.out
    return (
        wh_per_mtok_out * (weighed + 0.005 * tokens.cache_read + 0.05 * tokens.cache_write) / 1e6
    )


def _by_ecologits(size: _Size, tokens: Tokens) -> Estimate:
    low, high = (ecologits_wh(active, size.total_b, tokens.out) for active in size.active_b)
    return Estimate(method=_ECOLOGITS, low_wh=low, high_wh=high)


def _by_couch(_: _Size, tokens: Tokens) -> Estimate:
    wh = couch_wh(tokens)
    return Estimate(method=_COUCH, low_wh=wh, high_wh=wh)


def _by_jegham(size: _Size, tokens: Tokens) -> Estimate:
    wh = jegham_wh(size.wh_per_mtok_out, tokens)
    return Estimate(method=_JEGHAM, low_wh=wh, high_wh=wh)


_METHODS: Sequence[Callable[[_Size, Tokens], Estimate]] = (
    _by_couch,
    _by_ecologits,
    _by_jegham,
)


def _size(model: str) -> _Size | None:
    return next((size for size in _SIZES if re.search(size.pattern, model.lower())), None)


def _figure(
    *,
    joules: float | None = None,
    low_j: float | None = None,
    high_j: float | None = None,
    meter: str = "",
    flags: tuple[str, ...] = (),
    why: str = "",
) -> Energy:
    return Energy(
        joules=joules,
        boundary=Boundary.REMOTE,
        label=Label.ESTIMATOR,
        meter=meter,
        gross_j=joules,
        low_j=low_j,
        high_j=high_j,
        sensor="token-model",
        flags=flags,
        why=why,
    )
