"""Assertions on windowed results for a test suite."""

from typing import Any

from swagproof.pipeline.api import AuditReport, audit


def assert_windows(events: Any, results: Any, *, allow_unknown: bool = False, **options: Any) -> AuditReport:
    """Fail with the report unless `swagproof.audit` of the same arguments conforms; return the report.

    An unknown verdict fails too, unless `allow_unknown`.
    """
    __tracebackhide__ = True
    report = audit(events, results, **options)
    report.raise_if_violated(allow_unknown=allow_unknown)
    return report
