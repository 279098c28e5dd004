"""
Files that are laid beside a graded tree for the length of one run, then taken away.

They run on the task's own programs, so that they use nothing but each one's standard library.
"""
