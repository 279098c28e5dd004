"""A meter for fairtrial: watts times seconds, always labelled an estimate."""
