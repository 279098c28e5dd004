"""Hidden check: the four dots of RFC 3490 separate labels, in both directions."""

import os
import sys

sys.path.insert(0, os.getcwd())

import idna

DOTS = (0x2E, 0x3002, 0xFF0E, 0xFF61)
encoded = idna.encode("münchen.例え.jp")
for first in map(chr, DOTS):
    for second in map(chr, DOTS):
        name = f"münchen{first}例え{second}jp"
        if idna.encode(name) != encoded:
            sys.exit(f"encode({name!r}): {idna.encode(name)}")
        if idna.encode(name + first) != encoded + b".":
            sys.exit(f"a trailing dot: {idna.encode(name + first)}")
        if idna.decode(f"xn--mnchen-3ya{first}example{second}") != "münchen.example.":
            sys.exit(f"decode with {first!r} and {second!r}")
        try:
            idna.encode(f"a{first}{second}b")
        except idna.IDNAError:
            pass
        else:
            sys.exit("an empty label was accepted")

for dot in map(chr, DOTS[1:]):
    for work in (idna.encode, idna.decode):
        try:
            work(f"bücher{dot}example", strict=True)
        except idna.IDNAError:
            continue
        sys.exit(f"strict {work.__name__} took {dot!r} as a dot")
for other in "\u00b7\u2024\u30fb\u06d4":
    try:
        idna.encode(f"ab{other}cd")
    except idna.IDNAError:
        continue
    sys.exit(f"{other!r} is no dot")
