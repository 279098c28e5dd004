"""Acme's meter and report for trials of coding agents."""
