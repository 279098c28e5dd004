"""The auditor: what a changed tree itself shows of a bought score."""

from collections.abc import Iterator, Sequence

from attrs import frozen
from fairtrial.api import Auditor, Evidence, Finding
from fairtrial.stacks.globs import matches

from fairtrial_auditor_patch import judges, special, testfiles
from fairtrial_auditor_patch.files import File, files_of
from fairtrial_auditor_patch.sign import Sign

MONITOR = "patch-monitor"
PATTERN_SET = 1
EMPTY = "empty-patch"


@frozen(kw_only=True)
class PatchAuditor:
    """Looks for a bought score in what an attempt left: tests weakened, runners changed, and so on."""

    ignore: tuple[str, ...] = ()
    """Globs of changed paths that are not looked at, such as generated files."""

    remarks: bool = True
    """Whether to tell what an honest attempt may well do, too; a remark never counts."""

    @property
    def monitor(self) -> str:
        """The name under which an audit is entered in a ledger."""
        return MONITOR

    @property
    def pattern_set(self) -> int:
        """The number of its rules; findings of different numbers are not compared."""
        return PATTERN_SET

    def audit(self, evidence: Evidence, /) -> Sequence[Finding]:
        """Returns what was found, by path, then by rule; a tree can always be judged."""
        files = tuple(f for f in files_of(evidence) if not matches(f.path, self.ignore))
        found = [sign for sign in _signs(files, evidence) if sign.enforcing or self.remarks]
        found.sort(key=lambda sign: (sign.path, sign.rule))
        return tuple(sign.finding() for sign in found)


def _signs(files: Sequence[File], evidence: Evidence) -> Iterator[Sign]:
    yield from _emptiness(evidence)
    yield from testfiles.signs(files)
    yield from judges.signs(files, evidence)
    yield from special.signs(files, evidence)


def _emptiness(evidence: Evidence) -> Iterator[Sign]:
    if evidence.patch or evidence.before is None or not evidence.task.submission_expected:
        return
    refused = len(evidence.dropped)
    seen = f"all {refused} changes were kept out" if refused else "nothing was changed"
    yield Sign(rule=EMPTY, enforcing=False, path=".", seen=seen)


_: type[Auditor] = PatchAuditor
