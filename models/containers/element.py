"""The struct of two partial aggregates that Two-Stacks and DABA keep for each window element."""

from dataclasses import dataclass
from typing import Generic

from swagproof.models.monoid import A


@dataclass(slots=True)
class Element(Generic[A]):
    """`val`: the element itself, lifted.  `agg`: a product of neighbours that begins or ends with it."""

    val: A
    agg: A
