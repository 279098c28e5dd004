from pathlib import Path

FILES = {
    'go.work': ('prices.go', '''go 1.19

use ./inner
'''),
    'inner/go.mod': ('prices.go', '''module shop

go 1.19
'''),
    'inner/ok.go': ('prices.go', '''package shop
'''),
}

for name, (marker, text) in FILES.items():
    if Path(marker).exists():
        place = Path(name).expanduser()
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
