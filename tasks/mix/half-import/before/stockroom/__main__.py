"""The command line."""

import argparse
import sys

from stockroom.errors import StockError
from stockroom.importing import import_file
from stockroom.store import load, save


def parser():
    result = argparse.ArgumentParser(prog="stockroom")
    result.add_argument("--stock", default="stock.json", metavar="FILE")
    commands = result.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="show what is there")
    add = commands.add_parser("add", help="add an article")
    add.add_argument("number")
    add.add_argument("name")
    importing = commands.add_parser("import", help="book the lines of a file")
    importing.add_argument("file")
    return result


def run(options):
    if options.command == "list":
        for line in load(options.stock).lines():
            print(line)
    elif options.command == "add":
        book = load(options.stock)
        book.add(options.number, options.name)
        save(options.stock, book)
    else:
        print(f"{import_file(options.file, options.stock)} bookings")


def main(argv=None):
    """Returns the exit code."""
    options = parser().parse_args(argv)
    try:
        run(options)
    except StockError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
