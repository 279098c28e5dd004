"""`fairtrial doctor`: what this machine has and lacks, and what is weaker for it."""

import json

import typer

from fairtrial.cli.options import JsonFlag
from fairtrial.cli.streams import emit, note

app = typer.Typer(rich_markup_mode=None, add_completion=False)

LACKING = 3


@app.command()
def doctor(as_json: JsonFlag = False) -> int:
    """
    Say what this machine has and lacks; nothing is changed, and nothing uses the network.

    Exit code 3 if a first run can't work here, else 0.
    """
    from fairtrial.cli.fences import fences
    from fairtrial.cli.machine import places, programs, system
    from fairtrial.cli.outfit import deprecated, meters, plugins

    looks = (system, plugins, fences, meters, deprecated, programs, places)
    found = [each for look in looks for each in look()]
    if as_json:
        emit(json.dumps([each.plain for each in found], ensure_ascii=False, indent=2) + "\n")
    else:
        size = max(len(each.name) for each in found)
        for each in found:
            emit(each.text(size))
    lacking = [each for each in found if each.needed and not each.here]
    if not lacking:
        return 0
    note(f"a first run can't work here: {', '.join(each.name for each in lacking)}")
    return LACKING
