"""What `fairtrial doctor` says of one thing."""

from fairtrial.cli.health import Health


def test_words_for_programs_are_in_json_and_not_on_a_persons_page() -> None:
    found = "no-counter:virtualised: a virtual machine has none; unmounted-symlink: mount it"
    health = Health(group="meter", name="joules by rapl", here=False, found=found)

    assert ("–       joules by rapl  a virtual machine has none; mount it\n") == health.text(14)
    assert found == health.plain["found"]
