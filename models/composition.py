"""Several aggregations over one window in one pass: the product of their monoids.

Source: *General Incremental Sliding-Window Aggregation* (2015), Figure 1 and section 2.1.  The query there asks at once
for the greatest length, how often it occurs, and the caller.  The paper does not say how to compose the operations; the
product of monoids is our choice.

>>> from collections import namedtuple
>>> from functools import reduce
>>> from swagproof.models.operations import ARG_MAX, MAX, MAX_COUNT
>>> Call = namedtuple("Call", "len caller")
>>> query = compose(
...     mxl=on(MAX, lambda call: call.len),
...     num=on(MAX_COUNT, lambda call: call.len),
...     who=on(ARG_MAX, lambda call: (call.len, call.caller)),
... )
>>> calls = [Call(3, "Ann"), Call(7, "Bob"), Call(7, "Cyd")]
>>> query.lower(reduce(query.combine, map(query.lift, calls)))
Row(mxl=7, num=2, who='Bob')
"""

from collections import namedtuple
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from swagproof.models.monoid import A
from swagproof.models.operations import In, Operation, Out

Record = TypeVar("Record")


class CompositionError(ValueError):
    """Operations that cannot be composed under these names."""


def on(operation: Operation[In, A, Out], field: Callable[[Record], In]) -> Operation[Record, A, Out]:
    """Apply the operation to `field` of each element.  The monoid stays the same; there are no samples."""
    of: Any = replace(operation, lift=lambda e: operation.lift(field(e)), samples=(), faithful=False)  # type: ignore[arg-type]  # another In
    return of  # type: ignore[no-any-return]  # replace keeps the type of what it is given


def compose(**operations: Operation[Any, Any, Any]) -> Operation[Any, tuple[Any, ...], Any]:
    """Compose operations: each lifts the element, they combine side by side, and lower to a named tuple.

    It is a monoid if all are, commutative if all are, and has `remove` if all have it.  One combine call of it makes
    one call of each operation.  Raises CompositionError without operations, and for a name that is no field of a named
    tuple.
    """
    if not operations:
        raise CompositionError("compose: give at least one operation, compose(name=operation)")
    try:
        Row: Any = namedtuple("Row", tuple(operations))  # type: ignore[misc]  # the fields are the caller's
    except ValueError as error:
        raise CompositionError(f"compose: {error}; name the operations otherwise") from error
    parts = tuple(operations.values())

    def beside(which: Callable[[Operation[Any, Any, Any]], Any], a: Any, b: Any) -> tuple[Any, ...]:
        return tuple(which(part)(x, y) for part, x, y in zip(parts, a, b, strict=True))

    def remove(a: tuple[Any, ...], ab: tuple[Any, ...]) -> tuple[Any, ...]:
        return beside(lambda part: part.remove, a, ab)

    return Operation(
        "+".join(f"{name}={operation.name}" for name, operation in operations.items()),
        lift=lambda e: tuple(part.lift(e) for part in parts),
        combine=lambda a, b: beside(lambda part: part.combine, a, b),
        lower=lambda v: Row(*(part.lower(x) for part, x in zip(parts, v, strict=True))),
        identity=tuple(part.identity for part in parts),
        commutative=all(part.commutative for part in parts),
        remove=remove if all(part.remove is not None for part in parts) else None,
        equal=lambda a, b: all(part.equal(x, y) for part, x, y in zip(parts, a, b, strict=True)),
    )
