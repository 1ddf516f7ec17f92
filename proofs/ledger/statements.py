"""The papers' numbered statements, and the rows of the ledger that are about each."""

import re
from collections.abc import Iterable
from typing import Final

from swagproof.proofs.ledger.claim import GENERAL, IN_ORDER, OF_THE_TEXT, OUT_OF_ORDER, STREAM_WINDOWS, Claim

NUMBERED: Final[dict[str, tuple[str, ...]]] = {
    IN_ORDER: (
        "Definition 1",
        *(f"Lemma {number}" for number in (1, 2, 3, 4)),
        *(f"Theorem {section}.{number}" for section in (3, 4, 5, 6) for number in (1, 2)),
    ),
    OUT_OF_ORDER: (
        "Definition 2.1",
        "Theorem 2.2",
        *(f"Theorem 3.{number}" for number in (1, 2, 3, 4)),
        *(f"Theorem 4.{number}" for number in (1, 2)),
        "Lemma A.1",
        "Lemma C.1",
    ),
    STREAM_WINDOWS: ("Definition 1", "Definition 2"),
    GENERAL: (
        *(f"equation 4.{number}" for number in (1, 2, 3)),
        *(f"Theorem 4.{number}" for number in (1, 2)),
        "Claim 4.3",
        "Corollary 4.4",
        *(f"Table {number}" for number in (1, 2)),
    ),
}
"""Paper -> what it numbers and says of algorithms.  *Aggregate Sharing* (2005) numbers nothing."""


def find_rows(claims: Iterable[Claim]) -> dict[tuple[str, str], list[str]]:
    """(paper, statement) -> ids of the claims whose source names it; errata and readings do not count."""
    found: dict[tuple[str, str], list[str]] = {(p, said): [] for p, numbered in NUMBERED.items() for said in numbered}
    for claim in claims:
        if claim.kind not in OF_THE_TEXT:
            for (paper, said), ids in found.items():
                if claim.paper == paper and is_named(said, claim.source):
                    ids.append(claim.id)
    return found


def is_named(said: str, source: str) -> bool:
    """Whether a source names a statement, also within a list such as "Theorems 4.1 and 4.2"."""
    word, number = said.split()
    return bool(re.search(rf"\b{word}s?\b[^;]*(?<![\d.]){re.escape(number)}(?![\d.]*\d)", source, re.IGNORECASE))
