from pathlib import Path

FILES = {
    'Makefile': ('split.sh', '''test:
	@echo ok
'''),
}

for name, (marker, text) in FILES.items():
    if Path(marker).exists():
        place = Path(name).expanduser()
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
