"""A small stock in a JSON file."""
