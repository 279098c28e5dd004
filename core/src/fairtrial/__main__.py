"""Lets `python -m fairtrial` stand for the command."""

import sys

from fairtrial.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
