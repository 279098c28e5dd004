from pathlib import Path

Path("docs").mkdir()
for number in range(200):
    Path(f"docs/note-{number:03}.md").write_text(f"# Note {number}\n")
