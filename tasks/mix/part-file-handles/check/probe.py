"""Saves files in ways that fail, and says what is left open or lying about."""

import os
import tempfile

from fairtrial_probe import serve


class BadInput(Exception):
    pass


def given_up(path, text_mode, **options):
    from boltons.fileutils import atomic_save

    try:
        with atomic_save(path, text_mode=text_mode, **options) as part:
            part.write("half" if text_mode else b"half")
            raise BadInput(path)
    except BadInput as error:
        return part.closed, error
    return "swallowed", None


def content(path):
    with open(path, "rb") as file:
        return file.read().decode()


def in_the_block():
    from boltons.fileutils import atomic_save

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.txt")
        with atomic_save(path) as part:
            part.write(b"whole")
        closed, held = [part.closed], []
        for text_mode in (False, True):
            answer, error = given_up(path, text_mode)
            closed.append(answer)
            held.append(error)
        return [closed, os.listdir(folder), content(path)]


def kept_when_asked():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.txt")
        closed, _ = given_up(path, False, rm_part_on_exc=False)
        return [closed, content(path + ".part")]


def blocked():
    from boltons.fileutils import AtomicSaver

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "blocked")
        os.makedirs(os.path.join(path, "inner"))
        seen = []
        for _ in range(2):
            try:
                with AtomicSaver(path) as part:
                    part.write(b"never")
            except FileExistsError:
                seen.append("left behind")
            except OSError:
                seen.append(part.closed)
            else:
                seen.append("replaced")
        left = sorted(os.listdir(folder))
        try:
            with AtomicSaver(path, rm_part_on_exc=False) as part:
                part.write(b"kept")
        except OSError:
            pass
        return [seen, left, content(path + ".part")]


serve(in_the_block, kept_when_asked, blocked)
