"""
What metering costs: one line of JSON, and exit 1 where a target is missed.

Targets: two reads of four RAPL zones on kept descriptors in 50 µs, 0.1 % of a core for a sample each
ten seconds, 30 ms to import a meter, 10 µs a receipt. Of the five meters the slowest is shown, as
the import statement takes: in an interpreter that has imported nothing else, of which attrs alone is
shown as well; and in a program that has the core, as a run imports it. They are installed for that as
a user has them, in an environment of their own, which needs uv.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from fairtrial.conformance.fakes import FakeHost
from fairtrial.energy import EnergyLedger
from fairtrial.energy.host import ThisHost
from fairtrial.energy.receipts import open_receipts
from fairtrial_meter_rapl import RaplMeter

TARGETS = {
    "bracket_us": 50.0,
    "sampler_share": 0.001,
    "import_ms": 30.0,
    "import_in_core_ms": 30.0,
    "receipt_us": 10.0,
}
ROOT = Path(__file__).parents[1]
METERS = ("apple", "cgroup", "estimator", "nvml", "rapl")
SHORT_ROUNDS = 40  # one of them is left alone by whoever shares the machine
KEEPALIVE_S = 10.0


def main() -> int:
    """Measures everything once and prints it."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        host = machine(place)
        python = installed(place / "environment")
        found = {
            "bracket_us": bracket_us(host),
            "sampler_share": sample_s(host, place) / KEEPALIVE_S,
            "import_ms": slowest_ms(python),
            "import_attrs_ms": import_ms(python, "attrs"),
            "import_in_core_ms": slowest_ms(python, "import fairtrial.energy.ledger"),
            "receipt_us": receipt_us(place),
            "window_us": window_us(host, place),
        }
    missed = [name for name, target in TARGETS.items() if found[name] > target]
    rounded = {name: float(f"{value:.3g}") for name, value in found.items()}
    print(json.dumps({"energy": rounded, "targets": TARGETS, "missed": missed}))
    return 1 if missed else 0


def machine(place: Path) -> ThisHost:
    """Makes a tree of two packages with their memory, read with the real clock."""
    fake = FakeHost.below(place)
    zones = {
        "intel-rapl:0": "package-0",
        "intel-rapl:0/intel-rapl:0:0": "dram",
        "intel-rapl:1": "package-1",
        "intel-rapl:1/intel-rapl:1:0": "dram",
    }
    for entry, name in zones.items():
        root = f"sys/class/powercap/{entry}"
        fake.put(f"{root}/name", name)
        fake.put(f"{root}/energy_uj", "123456789012\n")
        fake.put(f"{root}/max_energy_range_uj", "262143328850\n")
    return ThisHost(sysfs=fake.sysfs, proc=Path("/proc"))


def best_s(work: Callable[[], object], times: int) -> float:
    """Returns the seconds of one call, the best of several rounds: others share the machine."""
    found = []
    for _ in range(SHORT_ROUNDS):
        start = time.perf_counter()
        for _ in range(times):
            work()
        found.append((time.perf_counter() - start) / times)
    return min(found)


def bracket_us(host: ThisHost) -> float:
    """Two reads of four zones."""
    session = RaplMeter().open(host)
    try:
        return 2 * best_s(session.read, 200) * 1e6
    finally:
        session.close()


def sample_s(host: ThisHost, place: Path) -> float:
    """One keepalive: every counter, CPU times, and the receipt."""
    meters = {"rapl": RaplMeter()}
    with EnergyLedger(meters=meters, host=host, path=place / "a", keepalive_s=None) as ledger:
        start, before = time.process_time(), len(ledger.log.snapshots)
        best_s(ledger.sample, 20)
        return (time.process_time() - start) / (len(ledger.log.snapshots) - before)


def window_us(host: ThisHost, place: Path) -> float:
    """A whole window: begin, end, and its figures."""
    meters = {"rapl": RaplMeter()}
    with EnergyLedger(meters=meters, host=host, path=place / "b", keepalive_s=None) as ledger:

        def work() -> None:
            with ledger.window("a") as window:
                pass
            window.energies()

        return best_s(work, 10) * 1e6


def receipt_us(place: Path) -> float:
    """One chained record of four counters, written."""
    record: Mapping[str, object] = {
        "op": "read",
        "before": 123456789012345,
        "after": 123456789112345,
        "boot": 123456789012399,
        "counts": {
            f"rapl/{name}": [123456789012, 123456789022345, 123456789032345]
            for name in ("pkg0", "dram0", "pkg1", "dram1")
        },
        "cpu": [123456780000, None],
    }
    receipts = open_receipts(place / "c")
    try:
        return best_s(lambda: receipts.append(record), 200) * 1e6
    finally:
        receipts.close({})


def installed(place: Path) -> Path:
    """Installs the core and the meters, compiled, and returns the interpreter that has them."""
    python = place / "bin" / "python"
    folders = [ROOT / "core", *(ROOT / "plugins" / "meters" / name for name in METERS)]
    install = ["uv", "pip", "install", "--quiet", "--compile-bytecode", "--python", str(python)]
    locked = ["--constraint", str(ROOT / "requirements.lock")]
    subprocess.run(["uv", "venv", "--quiet", "--python", sys.executable, str(place)], check=True)
    subprocess.run([*install, *locked, *map(str, folders)], check=True)
    return python


def slowest_ms(python: Path, before: str = "pass") -> float:
    """Milliseconds of importing the slowest of the meters, after what `before` imports."""
    return max(import_ms(python, f"fairtrial_meter_{name}", before) for name in METERS)


def import_ms(python: Path, module: str, before: str = "pass") -> float:
    """Milliseconds of an import statement in a fresh interpreter, the best of several."""
    clock = "time.perf_counter()"
    code = f"import time; {before}; begun = {clock}; import {module}; print({clock} - begun)"

    def once() -> float:
        done = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True)
        return float(done.stdout) * 1000

    return min(once() for _ in range(SHORT_ROUNDS))


if __name__ == "__main__":
    sys.exit(main())
