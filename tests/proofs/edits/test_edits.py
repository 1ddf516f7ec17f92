"""Hand-written wrong edits: a history shows that each is wrong, and the claim that its table names rejects it.

The tables give the class of mistake of each edit; `docs/makers/edits.py` fills in the claim that rejects it.
"""

import re
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from edits import rows_of
from support.edits import Change, Edit, all_edits, check_row, modules_of_rows, read_edit, run_edited
from support.witnesses.exposing import observe
from support.witnesses.observing import Seen, find_difference

from swagproof.proofs.claims import find
from swagproof.reference.catalogue import CATALOGUE

EDITS = all_edits()
observe_once = cache(observe)


def judge(edit: Edit, module: str) -> tuple[Seen | None, str, str]:
    """Return, in a process with the edited file, the result of a history, and of a claim's check."""
    seen = observe(edit.algorithm, edit.shown_by) if edit.shown_by else None
    return seen, *check_row(edit.row, module, edit.algorithm)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: f"{edit.algorithm}: {edit.name}")
@pytest.mark.drawn(10)
def test_an_edit_is_wrong_and_rejected(edit: Edit) -> None:
    seen, outcome, words = run_edited(edit, judge, edit, modules_of_rows()[edit.row])
    assert outcome == ("holds" if edit.outcome == "outside" else edit.outcome), words
    if seen is not None:
        assert find_difference(observe_once(edit.algorithm, edit.shown_by), seen)
    else:
        assert edit.unshown


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: f"{edit.algorithm}: {edit.name}")
def test_the_row_of_an_edit_is_about_it(edit: Edit) -> None:
    """Check that the claim is about the edited algorithm, or is a check by running.

    The text of a claim must name the limit by which an edit is outside of it.
    """
    assert edit.row in rows_of(edit.algorithm, {})
    if edit.outcome == "outside":
        (claim,) = find([edit.row])
        assert re.search(rf"(^|[;,(:] ){re.escape(edit.finding)}($|[;,):])", f"{claim.scope}; {claim.not_covered}")


def test_there_are_edits_of_every_algorithm_and_of_every_class() -> None:
    assert len(EDITS) >= 200
    assert {entry.name for entry in CATALOGUE} <= {edit.algorithm for edit in EDITS}
    classes = Counter(edit.mistake for edit in EDITS)
    assert classes["constructors"] >= 10
    assert sum(edit.file == "models/containers/deque.py" for edit in EDITS) >= 10


def test_an_edit_that_does_not_fit_is_told() -> None:
    head = "a name [a class]"
    with pytest.raises(ValueError, match="stands 0 times in evict"):
        read_edit([head, "@ evict", "- no such line", "+ pass"], "DABA", "reference/in_order/daba.py").source()
    with pytest.raises(ValueError, match="is no line of an edit"):
        read_edit([head, "* what"], "DABA", "reference/in_order/daba.py")
    with pytest.raises(ValueError, match="the class of the mistake"):
        read_edit(["a name"], "DABA", "reference/in_order/daba.py")


@pytest.mark.parametrize("row", ["touches", "purity", "base-intervals/answer", "base-intervals/proved-calls"])
def test_an_edit_that_changes_nothing_is_not_rejected(row: str) -> None:
    """Check that no claim rejects it, even if the claim is the first in its process."""
    edit = next(edit for edit in EDITS if edit.file == "reference/flat_trees/base_intervals.py")
    change = Change(within="", old=("self.front += 1",), new=("self.front += 1  # the oldest",))
    harmless = replace(edit, name="a comment", changes=(change,), row=row, shown_by="", unshown="nothing is wrong")
    _, outcome, words = run_edited(harmless, judge, harmless, modules_of_rows()[row])
    assert outcome == "holds", words
