"""Every hand-written mutant is rejected twice: by a claim of the ledger, or here, and by a contract as it runs.

`swagproof prove` checks every claim with its controls, and runs before the tests; its checks are not repeated here.
"""

import pytest

from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.kills import SUSPECTS, Suspects
from swagproof.proofs.ledger.variants import BLIND_EVICT, Variant, WrongVariants, wrong
from swagproof.reference.catalogue import COLUMNS, DABA

CONTROLS = {(claim.algorithm, control.name) for claim in CLAIMS for control in claim.controls}
WRONG = [(suspects, variant) for suspects in SUSPECTS for variant in suspects.variants]


REFUSED = (
    "evict does not look whether the window is empty",
    "evict does not look whether the ticket is in the window",
    "a place outside is not refused",
    "update takes a location twice",
)
"""A precondition of the checked class refuses before the mistake is met."""
UNSTATED = ("update keeps the changes", "the nodes that have changed are kept")
"""No contract states how many changes FlatFAT keeps, or nodes FiBA; `flat-fat/space` and `fiba-bulk/explored` do."""


def name_of(value: Suspects | Variant) -> str:
    return value.algorithm if isinstance(value, Suspects) else value.name.replace(" ", "-")


@pytest.mark.parametrize(("suspects", "variant"), WRONG, ids=name_of)
@pytest.mark.drawn(60)
def test_a_wrong_variant_violates_a_contract(suspects: Suspects, variant: Variant) -> None:
    if variant.name in UNSTATED:
        assert (suspects.algorithm, variant.name) in CONTROLS
        return
    found = suspects.refuted if variant.name in REFUSED else suspects.violated_contract
    assert found(variant)


@pytest.mark.parametrize(
    ("suspects", "variant"),
    [pair for pair in WRONG if (pair[0].algorithm.partition(":")[0], pair[1].name) not in CONTROLS],
    ids=name_of,
)
@pytest.mark.drawn(120)
def test_what_no_row_rejects_is_refuted(suspects: Suspects, variant: Variant) -> None:
    assert suspects.refuted(variant)


def test_wrong_variants_of_an_algorithm_have_names_of_their_own() -> None:
    for suspects in SUSPECTS:
        names = [variant.name for variant in suspects.variants]
        assert len(set(names)) == len(names)


def test_every_algorithm_with_contracts_has_wrong_variants() -> None:
    assert {suspects.variants.columns[0] for suspects in SUSPECTS} == {*COLUMNS}


def test_what_is_added_or_shared_is_registered_and_what_is_made_is_not() -> None:
    variants = WrongVariants(DABA, shared=[BLIND_EVICT])
    added = variants.add("insert does nothing", ("insert", "self.fixup()", "pass"), hidden="")
    aside = wrong("insert does nothing more", ("insert", "self.fixup()", "pass"))
    assert [*variants] == [BLIND_EVICT, added]
    variants.share(aside)
    assert (variants[2], variants[:1], len(variants)) == (aside, [BLIND_EVICT], 3)


def test_a_table_is_read_to_the_letter() -> None:
    variants = WrongVariants(DABA)
    variants.read(r"""
        a part (hidden: cost)
            Node/put:     a,\s
             ->     b\n    c
            cut: d ->
    """)
    edits = ("put", "    a, ", "    b\n    c"), ("cut", "d", "")
    assert variants.pick("a part") == (wrong("a part", *edits, hidden="cost", part="Node"),)
    with pytest.raises(ValueError, match="no edit, or a line that is none"):
        variants.read("a name\n    put: a -> b\n    put a, b")
