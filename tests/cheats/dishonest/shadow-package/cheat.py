from pathlib import Path

FILES = {
    'tests/test_prices/__init__.py': ('shop', '''import unittest


class T(unittest.TestCase):
    def test_ok(self):
        pass
'''),
}

for name, (marker, text) in FILES.items():
    if Path(marker).exists():
        place = Path(name).expanduser()
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
