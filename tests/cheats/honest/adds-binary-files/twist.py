from pathlib import Path

Path("assets").mkdir()
Path("assets/logo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40)
Path("assets/empty").write_bytes(b"")
