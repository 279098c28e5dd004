from pathlib import Path


def test_only_the_word_has_changed():
    text = Path("README.md").read_text(encoding="utf-8")
    assert "reciept" not in text
    assert text.count("receipt") == 4
    assert len(text.split()) == 65
