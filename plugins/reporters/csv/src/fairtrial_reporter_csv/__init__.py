"""A reporter for fairtrial: one line a trial, for spreadsheets."""
