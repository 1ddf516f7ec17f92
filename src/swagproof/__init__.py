"""swagproof: the formally checked reference and oracle for sliding-window aggregation (SWAG).

What is listed here is stable: it goes by this name, `from swagproof import checked`, and the manual describes it, in
docs/manual/reference/stable.md.  Everything else may move from one version to the next.  Names are looked up when they
are asked for, so that `import swagproof` costs nothing.
"""

import importlib

_PLACES = {
    "AuditReport": "pipeline.api",
    "AuditViolation": "pipeline.api",
    "Adapter": "oracle.adapting.declared",
    "BulkFiba": "reference.trees.fiba_bulk",
    "ContractViolation": "oracle.states.checked",
    "Daba": "reference.in_order.daba",
    "DabaLite": "reference.in_order.daba_lite",
    "Domain": "oracle.domain",
    "Fiba": "reference.trees.fiba",
    "Fifo": "models.fifo",
    "FlatFit": "reference.related_work.flat_fit",
    "InputError": "oracle.trace",
    "Judgement": "oracle.reports.judgement",
    "Monoid": "models.monoid",
    "OPERATIONS": "models.operations",
    "Operation": "models.operations",
    "OutOfOrder": "models.out_of_order",
    "ReplayReport": "pipeline.api",
    "ReplayViolation": "pipeline.api",
    "Subject": "oracle.subject",
    "Trace": "oracle.trace",
    "TwoStacks": "reference.in_order.two_stacks",
    "TwoStacksLite": "reference.in_order.two_stacks_lite",
    "audit": "pipeline.api",
    "broken_law": "models.monoid",
    "checked": "oracle.states.checked",
    "domain": "oracle.domain",
    "domains_of": "oracle.judge",
    "judge": "oracle.judge",
    "load_subject": "oracle.subject",
    "replay": "oracle.judge",
    "replay_recordings": "pipeline.api",
    "subject_of": "oracle.subject",
}
"""The module of each public name; the stub beside this file lists the same for type checkers, and a test compares the
two.

Not even `typing` is imported here: it is most of the time that `import swagproof` would take.
"""

__all__ = tuple(_PLACES)  # pyright: ignore[reportUnsupportedDunderAll]  # the stub lists them


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
