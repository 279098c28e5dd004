"""Hidden check: results noted down from what git itself says."""

import os
import sys

sys.path.insert(0, os.getcwd())

from pathspec import GitIgnoreSpec

CASES = [
    ("*.log\n!build/keep.log\nbuild/", {"build/keep.log": True, "build/a.txt": True, "x.log": True, "keep.log": True}),
    ("!build/keep.log\nbuild/", {"build/keep.log": True, "src/build/b": True, "builds": False}),
    ("!a/b/c.txt\na/", {"a/b/c.txt": True, "c.txt": False}),
    ("!/dist/index.html\n/dist/", {"dist/index.html": True, "x/dist/index.html": False}),
    ("*.tmp\n!*.tmp", {"a.tmp": False, "d/a.tmp": False}),
    ("!*.tmp\n*.tmp", {"a.tmp": True}),
    ("docs/*\n!docs/readme.md", {"docs/readme.md": False, "docs/other.md": True}),
    ("!docs/readme.md\ndocs/*", {"docs/readme.md": True}),
    ("a/\n!a/", {"a/x": False}),
    ("!a/\na/", {"a/x": True}),
]
for text, files in CASES:
    spec = GitIgnoreSpec.from_lines(text.splitlines())
    for file, wanted in files.items():
        got = spec.match_file(file)
        if got != wanted:
            sys.exit(f"{text!r}: {file} ignored? wanted {wanted}, got {got}")
    left = sorted(spec.match_files(files))
    if left != sorted(f for f, ignored in files.items() if ignored):
        sys.exit(f"{text!r}: match_files gave {left}")
