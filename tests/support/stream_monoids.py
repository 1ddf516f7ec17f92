"""A custom monoid: the sum and the maximum of integers."""

from swagproof.models.operations import Operation

SUM_AND_MAX: Operation[int, tuple[int, int | None], tuple[int, int | None]] = Operation(
    "sum and max",
    lift=lambda e: (e, e),
    combine=lambda a, b: (a[0] + b[0], max((x for x in (a[1], b[1]) if x is not None), default=None)),
    lower=lambda v: v,
    identity=(0, None),
    commutative=True,
    samples=(3, 1, -4, 15),
)
