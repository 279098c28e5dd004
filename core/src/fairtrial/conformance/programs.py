"""Small Python programs that the sandbox kit runs inside of a workspace."""

COPY = """
import sys
data = sys.stdin.buffer.read()
open("copy", "wb").write(data)
sys.stdout.buffer.write(data)
"""

COPY_FILE = """
open("copy", "wb").write(open("big", "rb").read())
"""

WHERE = """
import os
print(os.getcwd(), end="")
"""

LOCK_DIRECTORY = """
import os
os.makedirs("locked/deep")
open("locked/deep/file", "w").close()
os.chmod("locked/deep", 0)
os.chmod("locked", 0)
"""

STREAMS = """
import sys
sys.stdout.write("out")
sys.stderr.write("err")
sys.exit(7)
"""

KILL_SELF = """
import os
os.kill(os.getpid(), 9)
"""

PRINT_AND_WAIT = """
import time
print("partial", end="", flush=True)
time.sleep(60)
"""

# Says how much CPU time a child of its own used that it left to others.
BUSY_ORPHAN = """
import os, time
read, write = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        while time.process_time() < 0.1:
            pass
        os.write(write, b"done")
    os._exit(0)
os.close(write)
os.read(read, 4)
"""

# Three ways in which a program outlives its parent: a child, a double fork, and a session of its
# own that ignores SIGTERM and lets go of the pipes. Each bears the given word in its command line.
TREE = """
import os, subprocess, sys, time
word, stay = sys.argv[1], len(sys.argv) < 3
code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(20)"
subprocess.Popen([sys.executable, "-c", code, word])
if os.fork() == 0:
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", code, word])
    os._exit(0)
subprocess.Popen(
    [sys.executable, "-c", code, word], start_new_session=True, stdin=subprocess.DEVNULL,
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
)
print("ready", flush=True)
time.sleep(60 if stay else 0.1)
"""

FLOOD = """
import sys
sys.stdout.write("first")
for _ in range(384):
    sys.stdout.write("x" * 65535 + "\\n")
sys.stdout.write("last")
"""

ENVIRONMENT = """
import os, sys
for name, value in os.environb.items():
    sys.stdout.buffer.write(name + b"=" + value + b"\\n")
"""

ECHO = """
import sys
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(b"got " + line)
    sys.stdout.buffer.flush()
"""

READ = """
import sys
print(open(sys.argv[1]).read())
"""

CONNECT = """
import socket
# A datagram socket that is connected sends nothing, but needs a route.
try:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("192.0.2.1", 9))
    print("reached")
except OSError:
    print("nothing")
"""
