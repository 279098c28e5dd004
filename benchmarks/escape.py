"""
Whether anything of an attempt outlives it under the sandbox `bubblewrap`.

200 times a program leaves processes behind by a random mixture of tricks, and is then ended in one of
four ways. One second later every process of the machine is looked at. Prints one JSON line: the
attempts, how many of them had a process alive, and the seconds that ending them took.
"""

import json
import os
import random
import statistics
import time
from pathlib import Path

from fairtrial.api import Fence, Network, Workspace
from fairtrial_sandbox_bubblewrap import BubblewrapSandbox

ATTEMPTS = 200
BATCH = 20
SEED = 20260101

HEAD = """
import ctypes, os, signal, subprocess, sys, time
word = sys.argv[1]
stay = ["python3", "-c", "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)", word]
quiet = dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
"""
TRICKS = (
    "subprocess.Popen(stay)",
    "subprocess.Popen(stay, start_new_session=True, **quiet)",
    "if os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: os.execvp(stay[0], stay)\n  os._exit(0)",
    "subprocess.Popen(['nohup', *stay], **quiet)",
    "subprocess.Popen(['sh', '-c', 'trap \"\" TERM HUP INT; exec \"$@\"', 'sh', *stay], **quiet)",
    "for _ in range(20):\n  if os.fork() == 0: os.setsid(); time.sleep(60); os._exit(0)",
    "subprocess.Popen(['unshare', '-Ur', *stay], **quiet)",
    "subprocess.Popen(['unshare', '-Urpf', *stay], **quiet)",
    "if os.fork() == 0:\n  os.kill(os.getpid(), signal.SIGSTOP); os._exit(0)",
    "ctypes.CDLL(None).prctl(36, 1, 0, 0, 0); subprocess.Popen(stay)",
    "if os.fork() == 0:\n  while True:\n    if os.fork(): os._exit(0)\n    os.setsid()",
    "subprocess.Popen(['sh', '-c', 'while :; do setsid sleep 60 & sleep 0.01; done', word], **quiet)",
)
ENDINGS = ("exit", "timeout", "end", "settle")


def attempt(chance: random.Random, word: str) -> float:
    """Lets one program try to leave something behind; returns the seconds to end it."""
    tricks = chance.sample(TRICKS, chance.randint(1, 4))
    ending = chance.choice(ENDINGS)
    last = "time.sleep(0.05)" if ending == "exit" else "time.sleep(60)"
    code = "\n".join([HEAD, *tricks, "print('ready', flush=True)", last])
    with BubblewrapSandbox().open(word, Fence(network=Network.NONE, processes=400)) as workspace:
        return _end(workspace, ["python3", "-c", code, word], ending)


def _end(workspace: Workspace, argv: list[str], ending: str) -> float:
    timeout_s = 0.4 if ending == "timeout" else 60.0
    running = workspace.spawn(argv, timeout_s=timeout_s)
    next(running.lines(), None)
    start = time.monotonic()
    if ending == "settle":
        workspace.settle()
    running.end(grace_s=0.0 if ending == "end" else 10.0)
    return time.monotonic() - start


def alive(word: str) -> int:
    """Counts the living processes that bear a word in their command line."""
    count = 0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            mine = word.encode() in (entry / "cmdline").read_bytes()
            count += mine and int(entry.name) != os.getpid()
        except OSError:
            continue
    return count


def main() -> None:
    """Makes the attempts in batches, so that one second of waiting serves many."""
    chance = random.Random(SEED)
    left = 0
    taken: list[float] = []
    for batch in range(ATTEMPTS // BATCH):
        words = [f"escapee-{os.getpid()}-{batch}-{number}" for number in range(BATCH)]
        taken += [attempt(chance, word) for word in words]
        time.sleep(1)
        left += sum(bool(alive(word)) for word in words)
    line = {
        "attempts": len(taken),
        "with_a_process_alive": left,
        "median_s_to_end": round(statistics.median(taken), 3),
        "met": left == 0,
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
