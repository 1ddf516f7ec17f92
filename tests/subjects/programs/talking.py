"""A program that counts its combine calls: Two-Stacks, or with `swap` a wrong one; for the tests.

python talking.py [swap] [calls]
"""

import sys
from typing import Any

from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, OPERATIONS
from swagproof.proofs.ledger.mutants import wrong
from swagproof.reference.in_order.two_stacks import TwoStacks

FLIP = ("evict", "(self.B.top().val, self.pi_F())", "(self.pi_F(), self.B.top().val)")
Swapped = wrong("the flip has its operands the wrong way round", FLIP).of(TwoStacks)


def main(words: list[str]) -> None:
    """Run the protocol's dialogue."""
    made = Swapped if "swap" in words else TwoStacks[Any]
    monoid: Counting[Any] = Counting(CONCATENATION)
    window: TwoStacks[Any] = made(monoid)
    announced = ["window=fifo", "monoids=concatenation"]
    announced += [word for word in words if word != "swap"]
    for line in sys.stdin:
        name, _, rest = line.rstrip("\n").partition(" ")
        answer: str | None = None
        if name == "swagproof":
            answer = " ".join(["swagproof 1", *announced])
        elif name == "reset":
            monoid = Counting(OPERATIONS[rest])
            window = made(monoid)
        elif name == "insert":
            window.insert(rest)
        elif name == "evict":
            window.evict()
        elif name == "query":
            answer = window.query()
        elif name == "calls":
            answer, monoid.calls = str(monoid.calls), 0
        if answer is not None:
            print(answer, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
