"""The gallery of cheats, and what is done with it."""
