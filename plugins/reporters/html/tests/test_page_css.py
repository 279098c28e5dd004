import re
from importlib.resources import files

import pytest

STYLE = files("fairtrial_reporter_html").joinpath("page.css").read_text()
LIGHT, DARK = (
    dict(re.findall(r"--(\w+): (#[0-9a-f]+)", block))
    for block in re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[:2]
)


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio, as WCAG 2 defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_words_and_marks_stand_out_from_the_paper(theme: dict[str, str]) -> None:
    paper = theme["paper"]
    for words in ("ink", "soft", "warn"):
        assert contrast(theme[words], paper) >= 4.5, words
    for mark in (*(f"c{number}" for number in range(7)), "front", "good"):
        assert contrast(theme[mark], paper) >= 3, mark
    for letters, square in (("badink", "bad"), ("muteink", "mute")):
        assert contrast(theme[letters], theme[square]) >= 4.5, letters
    assert contrast("#ffffff", theme["good"]) >= 3


def test_both_themes_name_the_same_colours() -> None:
    assert set(LIGHT) == set(DARK)
