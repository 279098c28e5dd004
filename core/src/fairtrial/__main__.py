"""Lets `python -m fairtrial` stand for the command."""

from fairtrial.cli.app import main

if __name__ == "__main__":
    main()
