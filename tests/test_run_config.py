"""docs/run-config.md is what the classes behind a run config say."""

from pathlib import Path

from fairtrial.registry import run_config_page

PAGE = Path(__file__).parents[1] / "docs/run-config.md"


def test_the_reference_page_is_not_stale() -> None:
    assert run_config_page() == PAGE.read_text(encoding="utf-8"), (
        "renew it by `fairtrial config docs --write docs/run-config.md`"
    )


def test_the_reference_page_says_nothing_of_the_machine_that_wrote_it() -> None:
    assert str(Path.home()) not in PAGE.read_text(encoding="utf-8")
