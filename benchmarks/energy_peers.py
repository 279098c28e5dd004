"""
Who is right on which case: fairtrial, codecarbon, zeus and pyJoules on the same counters.

Each case is a tree of files as the kernel shows it, before and after ten seconds. The other tools
run in an environment of their own (made with uv, below the user's cache) and are pointed at the
tree by their own argument or constant; zeus gets the time that its poller needs. Prints a table, and
exits with 1 where fairtrial is wrong.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import field, frozen
from fairtrial.conformance.fakes import FakeHost
from fairtrial.energy import EnergyLedger
from fairtrial_meter_rapl import RaplMeter
from platformdirs import user_cache_path

PEERS = ("codecarbon==3.3.2", "zeus==0.16.0", "pyJoules==0.5.1")
R_INTEL = 262143328850
TREE = "devices/virtual/powercap/intel-rapl"
CLOSE_J = 0.01
WAIT_S = 60

Counts = Mapping[str, tuple[int, ...]]


@frozen(kw_only=True)
class Case:
    """
    One case.

    Attributes:
        name: Its number and what it is.
        zones: Path below the tree → name of the zone.
        counts: Path → what it shows, one reading after the other.
        truth_j: What was used; None where nobody can know.
        span: The counters' range; None for no file.
    """

    name: str
    zones: Mapping[str, str]
    counts: Counts
    truth_j: float | None
    span: int | None = field(default=R_INTEL)

    def show(self, tree: Path, moment: int) -> None:
        """Writes what the counters show at a moment."""
        for path, name in self.zones.items():
            zone = tree / path
            zone.mkdir(parents=True, exist_ok=True)
            (zone / "name").write_text(f"{name}\n")
            if self.span is not None:
                (zone / "max_energy_range_uj").write_text(f"{self.span}\n")
            # In place: a reader may keep the file open.
            with (zone / "energy_uj").open("r+" if (zone / "energy_uj").exists() else "w") as file:
                file.truncate(0)
                file.write(f"{self.counts[path][moment]}\n")

    @property
    def moments(self) -> int:
        """How many readings there are."""
        return max((len(own) for own in self.counts.values()), default=1)


P0, P1 = "intel-rapl:0", "intel-rapl:1"
CORE, DRAM = f"{P0}/intel-rapl:0:0", f"{P0}/intel-rapl:0:1"
ONE = {P0: "package-0"}
J = 10**6

CASES = (
    Case(name="V1 plain", zones=ONE, counts={P0: (J, 101 * J)}, truth_j=100.0),
    Case(name="V2 wrap", zones=ONE, counts={P0: (262142328850, 4 * J)}, truth_j=5.0),
    Case(name="V3 reset", zones=ONE, counts={P0: (200_000 * J, 3 * J)}, truth_j=None),
    Case(name="V4 no range", zones=ONE, counts={P0: (4000 * J, 10_000)}, truth_j=None, span=None),
    Case(
        name="V5 memory nested",
        zones={P0: "package-0", CORE: "core", DRAM: "dram"},
        counts={P0: (0, 100 * J), CORE: (0, 60 * J), DRAM: (0, 10 * J)},
        truth_j=110.0,
    ),
    Case(
        name="V6 mirrored dies",
        zones={P0: "package-0-die-0", P1: "package-0-die-1"},
        counts=dict.fromkeys((P0, P1), (J, 51 * J, 101 * J)),
        truth_j=100.0,
    ),
    Case(
        name="V7 platform beside package",
        zones={P0: "package-0", P1: "psys", CORE: "core"},
        counts={P0: (0, 100 * J), P1: (0, 150 * J), CORE: (0, 60 * J)},
        truth_j=100.0,
    ),
    Case(
        name="V8 one socket wraps",
        zones={P0: "package-0", P1: "package-1"},
        counts={P0: (R_INTEL - J, 4 * J), P1: (0, 80 * J)},
        truth_j=85.0,
    ),
    Case(name="V14 spike", zones=ONE, counts={P0: (0, 200_000 * J)}, truth_j=None),
    Case(
        name="V16 platform first",
        zones={P0: "psys", P1: "package-0"},
        counts={P0: (0, 150 * J), P1: (0, 100 * J)},
        truth_j=100.0,
    ),
    Case(name="V28 no counter", zones={}, counts={}, truth_j=None),
)

# One driver a tool: it reads, waits for a line on stdin, reads again, and prints joules.
DRIVERS = {
    "codecarbon": """
import logging, sys
logging.disable(logging.CRITICAL)
from codecarbon.core.cpu import IntelRAPL
from codecarbon.core.units import Time
rapl = IntelRAPL(rapl_dir=sys.argv[1], rapl_include_dram=True)
rapl.start()
total = 0.0
print("::ready", flush=True)
while sys.stdin.readline().strip():
    details = rapl.get_cpu_details(Time.from_seconds(5))
    total += sum(own for name, own in details.items() if "Energy" in name) * 3.6e6
    print("::read", flush=True)
print(f"::{total}", flush=True)
""",
    "zeus": """
import sys, time
def main():
    from zeus.device.cpu import rapl
    rapl.RAPL_DIR = sys.argv[1]
    cpus = rapl.RAPLCPUs().cpus
    def read():
        found = [cpu.get_total_energy_consumption() for cpu in cpus]
        return sum(own.cpu_mj + (own.dram_mj or 0) for own in found) / 1000
    before = read()
    time.sleep(2.5)
    print("::ready", flush=True)
    while sys.stdin.readline().strip():
        time.sleep(1.5)
        after = read()
        print("::read", flush=True)
    print(f"::{after - before}", flush=True)
if __name__ == "__main__":
    main()
""",
    "pyJoules": """
import sys
from pyJoules.device import rapl_device
rapl_device.RAPL_API_DIR = sys.argv[1]
device = rapl_device.RaplDevice()
domains = device.available_package_domains() + device.available_dram_domains()
device.configure(domains)
before = device.get_energy()
print("::ready", flush=True)
while sys.stdin.readline().strip():
    after = device.get_energy()
    print("::read", flush=True)
print(f"::{sum(after) / 1e6 - sum(before) / 1e6}", flush=True)
""",
}


def main() -> int:
    """Runs every tool on every case."""
    python = environment()
    rows: list[dict[str, object]] = []
    for case in CASES:
        row: dict[str, object] = {"case": case.name, "truth": case.truth_j}
        row["fairtrial"] = ours(case)
        row |= {tool: theirs(case, python, tool) for tool in DRIVERS}
        rows.append(row)
    tools = ("fairtrial", *DRIVERS)
    print(f"{'case':28}{'truth':>10}" + "".join(f"{tool:>20}" for tool in tools))
    for row in rows:
        shown = [f"{told(row[tool])} {mark(row[tool], row['truth'])}" for tool in tools]
        print(f"{row['case']:28}{told(row['truth']):>10}" + "".join(f"{own:>20}" for own in shown))
    right = {tool: sum(is_right(row[tool], row["truth"]) for row in rows) for tool in tools}
    print(json.dumps({"cases": len(rows), "right": right}))
    return 0 if right["fairtrial"] == len(rows) else 1


def environment() -> Path:
    """Makes the other tools' environment once; returns its interpreter."""
    folder = user_cache_path("fairtrial") / "peers"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run(["uv", "venv", "--quiet", str(folder)], check=True)
    install = ["uv", "pip", "install", "--quiet", "--python", str(python), *PEERS]
    subprocess.run(install, check=True)
    return python


def ours(case: Case) -> float | str | None:
    """Runs fairtrial on a case; the clock is moved by hand."""
    with tempfile.TemporaryDirectory() as folder:
        host = FakeHost.below(Path(folder))
        case.show(host.sysfs / TREE, 0)
        with EnergyLedger(meters={"rapl": RaplMeter()}, host=host, keepalive_s=None) as ledger:
            window = ledger.begin("a")
            for moment in range(1, case.moments):
                host.clock.advance(5 if case.moments > 2 else 10)
                case.show(host.sysfs / TREE, moment)
                ledger.sample()
            window.end()
            return window.energies()[0].joules


def theirs(case: Case, python: Path, tool: str) -> float | str | None:
    """Runs another tool on a case; what it raises is its answer."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / TREE
        tree.mkdir(parents=True)
        case.show(tree, 0)
        driver = Path(folder) / "driver.py"
        driver.write_text(DRIVERS[tool])
        with subprocess.Popen(
            [str(python), str(driver), str(tree)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as child:
            said = list(conversation(case, tree, child))
            _, errors = child.communicate(timeout=WAIT_S)
    if said and said[-1] not in {"ready", "read", ""}:
        return float(said[-1])
    return "raises " + (errors.strip().splitlines() or ["nothing"])[-1].partition(":")[0]


def conversation(case: Case, tree: Path, child: "subprocess.Popen[str]") -> Iterator[str]:
    """Moves the counters between a child's readings; yields what it says."""
    if child.stdin is None or child.stdout is None:
        return
    said = answer(child.stdout)
    yield said
    for moment in range(1, case.moments):
        if not said:
            return
        case.show(tree, moment)
        child.stdin.write("go\n")
        child.stdin.flush()
        said = answer(child.stdout)
        yield said
    child.stdin.write("\n")
    child.stdin.flush()
    yield answer(child.stdout)


def answer(lines: Iterable[str]) -> str:
    """Returns a driver's next answer; the tools themselves print on stdout, too."""
    return next((line[2:].strip() for line in lines if line.startswith("::")), "")


def told(joules: object) -> str:
    """Shows a figure as people do."""
    if isinstance(joules, float):
        return f"{joules:,.1f}"
    return "–" if joules is None else str(joules).rpartition(".")[2][:14]


def is_right(joules: object, truth: object) -> bool:
    """Says whether a figure is the truth, or none where there is none."""
    if truth is None or joules is None:
        return truth is joules
    return isinstance(joules, float) and abs(joules - float(str(truth))) < CLOSE_J


def mark(joules: object, truth: object) -> str:
    """A sign beside a figure."""
    return "✓" if is_right(joules, truth) else "✗"


if __name__ == "__main__":
    sys.exit(main())
