"""Who programs are, what they may do, and how much of it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.api import CpuCounted, EndedBy, Fence, MachineError, Network, SandboxDied, Workspace
from fairtrial_sandbox_bubblewrap import memory, sandbox
from fairtrial_sandbox_bubblewrap.memory import limited

Open = Callable[..., Workspace]
ROOT = os.geteuid() == 0


def printed(workspace: Workspace, line: str) -> str:
    done = workspace.run(["sh", "-c", line], timeout_s=20)
    return (done.stdout + done.stderr).decode()


def test_programs_have_no_rights_and_can_not_gain_any(opened: Open) -> None:
    told = printed(opened(), "cat /proc/self/status")
    status = dict(line.split(":\t", 1) for line in told.splitlines() if ":\t" in line)
    rights = {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")}
    assert {"0" * 16} == rights
    assert "1" == status["NoNewPrivs"]
    if ROOT:
        assert "0" * 16 == status["CapBnd"]


def test_the_superuser_is_nobody_inside(opened: Open) -> None:
    one, two = opened(), opened()
    ids = [printed(workspace, "id -u; id -g; id -G; whoami").split() for workspace in (one, two)]
    assert {"agent"} == {name for *_, name in ids}
    assert not any("0" in each for each in ids)
    if ROOT:
        (one.root / "made").touch()
        printed(one, "touch mine")
        assert (
            int(ids[0][0])
            == (one.root / "mine").stat().st_uid
            == (one.root / "made").stat().st_uid
        )
        assert ids[0] != ids[1]


def test_what_only_the_superuser_reads_is_not_read(opened: Open) -> None:
    assert "ermission denied" in printed(opened(), "cat /etc/shadow")
    assert "ermission denied" in printed(
        opened(), "cat /proc/1/environ > /dev/null && cat /etc/gshadow"
    )


def test_no_other_process_is_seen(opened: Open) -> None:
    names = printed(opened(), "cat /proc/[0-9]*/comm").split()
    assert set(names) <= {"bwrap", "sh", "cat"}


def test_a_program_can_not_kill_its_sandbox(opened: Open) -> None:
    done = opened().run(["sh", "-c", "kill -9 -1; kill -9 1; exit 5"], timeout_s=20)
    assert (5, EndedBy.EXIT) == (done.code, done.ended_by)


def test_a_sandbox_that_was_killed_is_told(opened: Open) -> None:
    workspace = opened()
    program = workspace.spawn(["sh", "-c", "echo up; sleep 60"], timeout_s=60)
    assert "up" == next(program.lines())
    os.kill(program._program.pid, 9)  # type: ignore[attr-defined] - what a stranger would kill
    for _ in range(2):
        with pytest.raises(SandboxDied, match="died under its program"):
            program.end(grace_s=9)
        with pytest.raises(SandboxDied):
            workspace.settle()


def test_a_sandbox_that_can_not_be_set_up_is_told(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir(mode=0o755)
    workspace = opened(Fence(readable=(tmp_path / "scratch",)))
    (tmp_path / "scratch").rmdir()
    with pytest.raises(SandboxDied, match="can't be set up") as caught:
        workspace.run(["true"], timeout_s=9)
    assert "Can't find source path" in dict(caught.value.facts)["it said"]


def test_a_program_can_not_pass_its_failure_off_as_the_sandboxs(opened: Open) -> None:
    workspace = opened()
    done = workspace.run(["sh", "-c", "echo 'bwrap: no' >&2; exit 1"], timeout_s=9)
    assert (1, b"bwrap: no\n") == (done.code, done.stderr)
    handles = printed(workspace, "for each in /proc/self/fd/*; do readlink $each; done")
    assert "status" not in handles


def test_a_high_exit_code_is_taken_for_a_signal(opened: Open) -> None:
    workspace = opened()
    for code, expected in ((128, (128, None)), (137, (None, 9)), (193, (193, None))):
        done = workspace.run(["sh", "-c", f"exit {code}"], timeout_s=9)
        assert expected == (done.code, done.signal)


def test_the_number_of_processes_is_limited(opened: Open) -> None:
    code = (
        "import os, time\n"
        "n = 0\n"
        "try:\n"
        "  while n < 200:\n"
        "    if os.fork() == 0: time.sleep(20); os._exit(0)\n"
        "    n += 1\n"
        "except BlockingIOError: pass\n"
        "print(n)\n"
    )
    workspace = opened(Fence(processes=40))
    started = int(workspace.run(["python3", "-c", code], timeout_s=20).stdout)
    assert 20 < started < 40
    assert "40" == workspace.enforced["pids"]


@pytest.mark.parametrize("asked", [True, False])
def test_memory_is_limited_and_that_is_the_programs_fault(opened: Open, *, asked: bool) -> None:
    workspace = opened(Fence(memory_mb=64)) if asked else opened(memory_mb=64)
    code = "held = [b'x' * (1 << 20) for _ in range(300)]"
    done = workspace.run(["python3", "-c", code], timeout_s=20)
    kind, _, most = workspace.enforced["memory"].partition(":")
    assert "64" == most
    assert kind in {"all", "each"}
    killed = done.signal == 9 if kind == "all" else b"MemoryError" in done.stderr
    assert killed
    assert 0 == workspace.run(["true"], timeout_s=9).code


def test_a_limit_on_all_memory_counts_all_processes(opened: Open) -> None:
    workspace = opened(Fence(memory_mb=100))
    if workspace.enforced["memory"] != "all:100":
        assert "each:100" == workspace.enforced["memory"]
        return
    code = (
        "import os, time\n"
        "pids = []\n"
        "for _ in range(4):\n"
        "  pid = os.fork()\n"
        "  if pid == 0: held = b'x' * (40 << 20); time.sleep(0.5); os._exit(0)\n"
        "  pids.append(pid)\n"
        "print(sorted(os.waitpid(pid, 0)[1] for pid in pids))\n"
    )
    done = workspace.run(["python3", "-c", code], timeout_s=20)
    assert b"9" in done.stdout or done.signal == 9


def test_the_group_goes_away_with_its_workspace() -> None:
    with limited(64) as group:
        if group is not None:
            assert group.path.is_dir()
            assert not group.starved
    assert group is None or not group.path.exists()


def test_without_a_group_nobody_knows_the_cpu_time(opened: Open) -> None:
    workspace = opened()
    assert 0 == workspace.run(["true"], timeout_s=20).code
    assert isinstance(workspace, CpuCounted)
    assert workspace.cpu_us() is None


def test_without_a_group_each_process_is_limited(tmp_path: Path) -> None:
    with limited(64, tmp_path) as group:
        assert group is None
    with limited(None) as group:
        assert group is None


def test_version_two_of_control_groups_is_used_where_it_hands_memory_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "user.slice" / "app.scope"
    own.mkdir(parents=True)
    (own / "cgroup.subtree_control").write_text("")
    (own.parent / "cgroup.subtree_control").write_text("cpu memory pids\n")
    monkeypatch.setattr(memory, "_own_groups", lambda: {"": "/user.slice/app.scope"})
    with limited(64, tmp_path) as group:
        assert group is not None
        assert own.parent == group.path.parent
        assert str(64 << 20) == (group.path / "memory.max").read_text()
        (group.path / "memory.events").write_text("oom 3\noom_kill 2\n")
        assert group.starved
        assert group.cpu_us() is None
        (group.path / "cpu.stat").write_text("usage_usec 250000\nuser_usec 200000\n")
        assert 250_000 == group.cpu_us()
        for file in group.path.iterdir():
            file.unlink()
    assert [own] == [each for each in own.parent.iterdir() if each.is_dir()]


def test_the_length_of_files_is_limited(opened: Open) -> None:
    workspace = opened(Fence(disk_mb=1))
    printed(workspace, "head -c 3000000 /dev/zero > big")
    assert 1 << 20 == (workspace.root / "big").stat().st_size
    assert "1" == workspace.enforced["file"]


def test_what_is_kept_of_the_fence_is_told(opened: Open) -> None:
    expected = {
        "sandbox": "bubblewrap",
        "network": "none",
        "filesystem": "listed",
        "processes": "namespace",
        "privileges": "dropped" if ROOT else "caller",
        "programs": "read-only",
        "memory": "none",
        "pids": "4096",
        "file": "none",
    }
    assert expected == opened(Fence(network=Network.NONE, required=True)).enforced


def test_required_memory_without_a_group_is_refused(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_own_groups", dict)
    with pytest.raises(MachineError, match="can't keep the fence that is required"):
        opened(Fence(memory_mb=64, required=True))
    assert "each:64" == opened(Fence(memory_mb=64)).enforced["memory"]


def test_without_bwrap_it_says_what_to_install(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "_SYSTEM_PATH", "/nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(MachineError) as caught:
        opened()
    assert (
        "the sandbox “bubblewrap” needs the program “bwrap”, which isn't here"
        == caught.value.problem
    )
    assert "apt-get install bubblewrap" in caught.value.way_on


@pytest.mark.skipif(not ROOT, reason="an ordinary user is what all tests here run as")
def test_an_ordinary_user_is_fenced_as_well() -> None:
    here = Path(__file__).parent
    enter = ["unshare", "-m", "sh", here / "as_user.sh", sys.base_prefix, sys.prefix, here]
    done = subprocess.run(
        [*enter, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", here],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=here,
        check=False,
    )
    assert 0 == done.returncode, done.stdout + done.stderr


ALONE = """
from fairtrial.api import Fence
from fairtrial_sandbox_bubblewrap import BubblewrapSandbox

with BubblewrapSandbox().open("task solver 1", Fence()) as workspace:
    done = workspace.run(["sh", "-c", "touch made && cat /proc/self/status"], timeout_s=20)
    print(workspace.enforced["privileges"], done.code, (workspace.root / "made").exists())
    print(done.stdout.decode())
"""


def test_a_superuser_beside_whom_there_is_no_other_user_has_no_rights_inside() -> None:
    alone = ["unshare", "--user", "--map-root-user"]
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no user namespace can be made here")
    done = subprocess.run(
        [*alone, sys.executable, "-c", ALONE], capture_output=True, text=True, check=False
    )
    first, _, status = done.stdout.partition("\n")
    assert ("caller 0 True", "") == (first, done.stderr)
    assert {"0" * 16} == {
        line.split(":\t")[1] for line in status.splitlines() if line.startswith("Cap")
    }
