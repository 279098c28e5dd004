from pathlib import Path

Path("docs").mkdir()
Path("docs/start.md").symlink_to("../README.md")
Path("latest").symlink_to("docs")
