"""A solver for fairtrial: any command line."""
