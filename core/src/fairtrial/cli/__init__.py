"""
The command line: the one place that prints, asks a terminal about itself, or exits.

`app` starts it, `commands` lists it, and each command is a module of its own that exposes a
typer app called `app`. A command's module is imported when the command is asked for.
"""
