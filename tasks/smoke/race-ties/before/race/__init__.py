"""Result lists of a running club."""
