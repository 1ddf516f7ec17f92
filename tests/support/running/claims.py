"""One test for each claim of an algorithm: its id in the test's name, the counterexample in the failure.

`swagproof prove` checks the same claims.  After such a run, SWAGPROOF_LEDGER names its `--json` file, and the tests
read the verdicts from it instead of checking again.
"""

import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pytest

from swagproof.proofs.claims import BY_ID, CLAIMS
from swagproof.proofs.ledger.claim import check_claim
from swagproof.reference.catalogue import COLUMNS, Column


class AlgorithmTests:
    """The tests of one algorithm, named by a test class."""

    algorithm: ClassVar[type[Any]]

    @classmethod
    def column(cls) -> Column:
        """The entry of the catalogue."""
        return next(column for column in COLUMNS if column.algorithm is cls.algorithm)


class AlgorithmClaims(AlgorithmTests):
    """The claims of the algorithm; its module has `pytest_generate_tests = generate_claims`."""

    @classmethod
    def claims(cls) -> Sequence[str]:
        """The ids of its claims."""
        return [claim.id for claim in CLAIMS if claim.algorithm == cls.column().name]

    @pytest.mark.drawn(4)  # `prove` checks all of them
    def test_claim(self, claim: str) -> None:
        verdict, detail, surviving = check(claim)
        assert verdict == "holds", f"{verdict}: {detail}"
        assert not surviving, f"mutants that were not rejected: {', '.join(surviving)}"


def check(id: str) -> tuple[str, str, Sequence[str]]:
    """Return the verdict on a claim, its detail, and the mutants that it does not reject."""
    ledger = os.environ.get("SWAGPROOF_LEDGER")
    if ledger:
        row = read_ledger(ledger)[id]
        return row["verdict"], row["detail"], [c["name"] for c in row["control"] if c["verdict"] != "fails"]
    checked = check_claim(BY_ID[id])
    return checked.verdict, checked.detail, checked.surviving


@cache
def read_ledger(path: str) -> dict[str, Any]:
    """Return the claims of a run of `swagproof prove --json`, by id."""
    return {row["id"]: row for row in json.loads(Path(path).read_text(encoding="utf-8"))}


def generate_claims(metafunc: pytest.Metafunc) -> None:
    """Parametrise `test_claim` by the ids of the algorithm's claims."""
    if metafunc.cls is not None and issubclass(metafunc.cls, AlgorithmClaims) and "claim" in metafunc.fixturenames:
        metafunc.parametrize("claim", metafunc.cls.claims())
