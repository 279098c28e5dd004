"""`python -m fairtrial.conformance.models SCRIPT`: serves a script until it is interrupted."""

import argparse
import sys
import threading
from pathlib import Path

from fairtrial.api import ConfigError
from fairtrial.conformance.models.script import load_script
from fairtrial.conformance.models.server import ScriptedModelServer


def main() -> int:
    """Says the address on stdout, then serves; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m fairtrial.conformance.models")
    parser.add_argument("script", type=Path, help="a TOML file, or a JSON file")
    parser.add_argument("--port", type=int, default=0, help="0 for any that is free")
    parser.add_argument("--socket", type=Path, help="a UNIX socket instead of a port")
    told = parser.parse_args()
    try:
        script = load_script(told.script)
    except ConfigError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    with ScriptedModelServer(script, socket_path=told.socket, port=told.port) as server:
        sys.stdout.write(f"{told.socket or server.url}\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
