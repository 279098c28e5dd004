from pathlib import Path

manifest = Path("pyproject.toml")
if manifest.exists():
    manifest.write_text(manifest.read_text().replace("dependencies = []", 'dependencies = ["attrs>=23"]'))
