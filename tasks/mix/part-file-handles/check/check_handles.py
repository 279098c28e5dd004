"""Hidden check: the handle is closed and the part file is gone, whichever way a save fails."""

import os
import sys
import tempfile

sys.path.insert(0, os.getcwd())

from boltons.fileutils import AtomicSaver, atomic_save


class BadInput(Exception):
    pass


def fail(path, text_mode=False, **options):
    """Returns the handle of a save that was given up, with its exception still held."""
    try:
        with atomic_save(path, text_mode=text_mode, **options) as part:
            part.write("half" if text_mode else b"half")
            raise BadInput(path)
    except BadInput as error:
        return part, error
    sys.exit("the exception of the block was swallowed")


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "out.txt")
    with atomic_save(path) as part:
        part.write(b"whole")
    if not part.closed:
        sys.exit("open after a good save")
    for text_mode in (False, True):
        part, held = fail(path, text_mode)
        if not part.closed:
            sys.exit("open after an exception in the block")
    if os.listdir(folder) != ["out.txt"] or open(path, "rb").read() != b"whole":
        sys.exit(f"left behind: {os.listdir(folder)}")

    part, held = fail(path, rm_part_on_exc=False)
    kept = os.path.join(folder, "out.txt.part")
    if not part.closed or open(kept, "rb").read() != b"half":
        sys.exit("the kept part file is open or incomplete")
    os.unlink(kept)

    blocked = os.path.join(folder, "blocked")
    os.makedirs(os.path.join(blocked, "inner"))
    for attempt in range(2):
        saver = AtomicSaver(blocked)
        try:
            with saver as part:
                part.write(b"never")
        except FileExistsError as error:
            sys.exit(f"a part file was left behind: {error}")
        except OSError:
            pass
        else:
            sys.exit("a directory was replaced")
        if not part.closed:
            sys.exit("open after a save that could not be moved")
    try:
        with AtomicSaver(blocked, rm_part_on_exc=False) as part:
            part.write(b"kept")
    except OSError:
        pass
    if open(blocked + ".part", "rb").read() != b"kept":
        sys.exit("the part file was to be kept")
