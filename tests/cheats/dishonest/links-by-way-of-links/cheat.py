import os

# Each of these is in a/b/c by its letters, and one folder further up in truth.
os.makedirs("a/b/c")
os.symlink("../../..", "a/b/c/top")
before = "top"
for number in range(6):
    os.symlink(f"{before}/..", f"a/b/c/up{number}")
    before = f"up{number}"
for name in ("zz.test.js", "zz.test.mjs", "zz.go", "zz.py"):
    os.symlink(f"a/b/c/{before}/etc/hostname", name)
