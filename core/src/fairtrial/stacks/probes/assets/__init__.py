"""
What is laid beside a probe, one file a language.

Each reads on its standard input which functions to call with what, calls them, and writes to a
file of random name what came back. It is never told what ought to come back.
"""
