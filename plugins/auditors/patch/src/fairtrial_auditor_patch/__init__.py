"""An auditor for fairtrial: what a changed tree shows of a bought score."""
