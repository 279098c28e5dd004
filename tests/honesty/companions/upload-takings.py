from pathlib import Path


def test_one_line_was_added():
    lines = Path("docs/declined.md").read_text(encoding="utf-8").split("\n")
    assert [line[:7] for line in lines if line.startswith("- #")] == [
        "- #12: ",
        "- #31: ",
        "- #58: ",
    ]
    assert lines[-1] == ""
    assert len(lines) == 8
