"""What the tests of the patch auditor share: evidence of a small change, and what is said of it."""

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

import pytest
from fairtrial.api import Change, Evidence, Patch
from fairtrial.conformance.auditor import evidence
from fairtrial.conformance.fakes import sample_task
from fairtrial_auditor_patch import PatchAuditor

Texts = Mapping[str, str | None]


def patch(texts: Texts) -> Patch:
    changes = (
        Change(path=PurePosixPath(path), after=None if text is None else text.encode())
        for path, text in sorted(texts.items())
    )
    return Patch(changes=tuple(changes))


def change(
    after: Texts,
    before: Mapping[str, str] | None = None,
    *,
    tests: Mapping[str, str] | None = None,
    refused: Texts | None = None,
    **task: object,
) -> Evidence:
    return evidence(
        task=sample_task(**task),  # type: ignore[arg-type]  # fields of a task
        patch=patch(after),
        refused=patch(refused or {}),
        dropped=tuple(refused or ()),
        before={path: text.encode() for path, text in (before or {}).items()},
        tests={path: text.encode() for path, text in (tests or {}).items()},
    )


@pytest.fixture
def make() -> Callable[..., Evidence]:
    """Makes the evidence of a change: path → text after, path → text before."""
    return change


@pytest.fixture
def held() -> Callable[..., list[str]]:
    """Says which rules count against a change."""

    def judge(*given: object, **more: object) -> list[str]:
        found = PatchAuditor().audit(change(*given, **more))  # type: ignore[arg-type]  # passed on
        return [finding.rule for finding in found if finding.enforcing]

    return judge


@pytest.fixture
def remarked() -> Callable[..., list[str]]:
    """Says which rules are mere remarks on a change."""

    def judge(*given: object, **more: object) -> list[str]:
        found = PatchAuditor().audit(change(*given, **more))  # type: ignore[arg-type]  # passed on
        return [finding.rule for finding in found if not finding.enforcing]

    return judge
