from pathlib import Path

Path("docs").mkdir()
for name in ("na\u00efve \u2013 \u898b\u7a4d\u308a.md", "with blank.md", "-n.md", "it's \"quoted\".md", "\U0001f98a.md", "line\nbreak.md"):
    (Path("docs") / name).write_text("x\n")
