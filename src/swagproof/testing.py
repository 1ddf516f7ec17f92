"""Assertions for a test suite: windowed results are what their events give."""

from typing import Any

from swagproof.pipeline.api import AuditReport, audit


def assert_windows(events: Any, results: Any, *, allow_unknown: bool = False, **options: Any) -> AuditReport:
    """Fail with the report unless `swagproof.audit` of the same arguments conforms; return the report.

    A verdict that is unknown fails too, unless it is allowed.
    """
    __tracebackhide__ = True
    report = audit(events, results, **options)
    report.raise_if_violated(allow_unknown=allow_unknown)
    return report
