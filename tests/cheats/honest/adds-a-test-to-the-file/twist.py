from pathlib import Path

for name, text in {
    "tests/test_prices.py": "\n\ndef test_nothing_more():\n    assert True\n",
    "prices_test.go": "\nfunc TestNothingMore(t *testing.T) {}\n",
}.items():
    if Path(name).exists():
        Path(name).write_text(Path(name).read_text() + text)
