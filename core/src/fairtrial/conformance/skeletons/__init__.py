"""
One small, honest plugin of each kind: the skeletons of `fairtrial plugins new`.

Each keeps all promises of its kind's kit, and is shown, annotated, in docs/writing-a-plugin.md.
The generator renames `Echo` and `echo` to the new plugin's name, so neither word is used here for
anything else.
"""
