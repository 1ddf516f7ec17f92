"""swagproof: the formally checked reference and oracle for sliding-window aggregation (SWAG).

The names listed here are the stable API: import them as `from swagproof import checked`.  The manual describes them in
docs/manual/reference/stable.md.  Everything else may move between versions.  Names are imported on first access, so
`import swagproof` is fast.
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
"""The module of each public name.  A test compares these names with the stub `__init__.pyi`.

`typing` is not imported here because it would take most of the time of `import swagproof`.
"""

__all__ = tuple(_PLACES)  # pyright: ignore[reportUnsupportedDunderAll]  # the stub lists them


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
