"""A program with bulk operations, out of order also with ranges; wrong with a further word; for the tests.

python talking_in_bulk.py [fifo] [swaps | loses | keeps | stays] [ordered | unbounded]

Elements of a FIFO window are kept under the times 0, 1, 2, ... in which they came.
"""

import sys
from itertools import count
from typing import Any

from swagproof.models.operations import CONCATENATION, Operation
from swagproof.oracle.domain import domain


def aggregate(operation: Operation[Any, Any, Any], entries: dict[int, Any], first: float, last: float) -> str:
    """Return the product of the entries of this range, as text."""
    made = operation.identity
    for time in sorted(entries):
        if first <= time <= last:
            made = operation.combine(made, entries[time])
    return str(made)


def main(words: list[str]) -> None:
    """Run the protocol's dialogue."""
    operation: Operation[Any, Any, Any] = CONCATENATION
    entries: dict[int, Any] = {}
    bulk: list[tuple[int, Any]] | None = None
    ranges = next((f"ranges={word}" for word in words if word in ("ordered", "unbounded")), "ranges")
    fifo, clock = "fifo" in words, count()
    window = (
        "window=fifo monoids=concatenation,sum" if fifo else f"window=out-of-order monoids=concatenation,sum {ranges}"
    )
    announced = f"swagproof 1 {window} bulk_insert bulk_evict"

    def insert(time: int, value: Any) -> None:
        entries[time] = operation.combine(entries[time], value) if time in entries else value

    for line in sys.stdin:
        name, _, rest = line.rstrip("\n").partition(" ")
        if name == "swagproof":
            print(announced)
        elif name == "reset":
            operation, entries, bulk = domain(rest).operation, {}, bulk if "stays" in words else None
        elif name == "insert":
            time, _, text = (str(next(clock)), "", rest) if fifo else rest.partition(" ")
            pair = int(time), text if operation is CONCATENATION else int(text)
            if bulk is None:
                insert(*pair)
            else:
                bulk.append(pair)
        elif name == "evict":
            entries.pop(min(entries) if fifo else int(rest), None)
        elif name == "begin_bulk":
            bulk = []
        elif name == "end_bulk":
            assert bulk is not None
            for time_, value in (bulk[:3] if fifo else dict(bulk).items()) if "loses" in words else bulk:
                insert(time_, value)
            bulk = None
        elif name == "bulk_evict":
            last = [*sorted(entries), -1][int(rest) - 1] if fifo else int(rest)
            entries = {t: v for t, v in entries.items() if t > last or ("keeps" in words and t == last)}
        elif name == "query":
            print(aggregate(operation, entries, float("-inf"), float("inf")))
        elif name == "range_query":
            first, last = map(float, rest.split())
            assert first <= last or "ordered" not in words, "asked for a range that is reversed"
            ends = sorted((first, last)) if "swaps" in words else (first, last)
            print(aggregate(operation, entries, *ends))
        elif name == "flush":
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
