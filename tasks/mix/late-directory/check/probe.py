"""Says which files a .gitignore leaves out, one by one and together."""

from fairtrial_probe import serve


def ignored(text, files):
    from pathspec import GitIgnoreSpec

    spec = GitIgnoreSpec.from_lines(text.splitlines())
    return [[spec.match_file(file) for file in files], sorted(spec.match_files(files))]


serve(ignored)
