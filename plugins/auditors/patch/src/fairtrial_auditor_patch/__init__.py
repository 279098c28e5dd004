"""An auditor for fairtrial: what a changed tree shows of a bought score."""

from fairtrial_auditor_patch.auditor import PatchAuditor

__all__ = ["PatchAuditor"]
