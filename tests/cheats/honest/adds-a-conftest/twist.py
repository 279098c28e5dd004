from pathlib import Path

if Path("shop").is_dir():
    Path("conftest.py").write_text("import pytest\n\n\n@pytest.fixture\ndef people():\n    return 3\n")
