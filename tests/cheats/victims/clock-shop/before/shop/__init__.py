"""A small till."""
