"""Hand-written wrong edits: the claim that its table names rejects each.

The tables give the class of mistake of each edit; `docs/makers/edits.py` fills in the claim that rejects it.
"""

from collections import Counter
from dataclasses import replace

import pytest
from edits import rows_of
from support.edits import Change, Edit, all_edits, check_row, modules_of_rows, read_edit, run_edited

from swagproof.reference.catalogue import CATALOGUE

EDITS = all_edits()


def judge(edit: Edit) -> tuple[str, str]:
    """Return the result of the claim's check in a process with the edited file."""
    return run_edited(edit, check_row, edit.row, modules_of_rows()[edit.row], edit.algorithm)  # type: ignore[no-any-return]  # of the other process


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: f"{edit.algorithm}: {edit.name}")
@pytest.mark.drawn(10)
def test_an_edit_is_rejected(edit: Edit) -> None:
    outcome, words = judge(edit)
    assert outcome == edit.outcome, words


def test_the_claim_of_an_edit_is_about_its_algorithm_or_is_a_check_by_running() -> None:
    assert [edit.name for edit in EDITS if edit.row not in rows_of(edit.algorithm, {})] == []


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


@pytest.mark.parametrize("row", ["touches", "language", "base-intervals/explored"])
@pytest.mark.drawn(2)
def test_an_edit_that_changes_nothing_is_not_rejected(row: str) -> None:
    """Check that no claim rejects it, even if the claim is the first in its process."""
    edit = next(edit for edit in EDITS if edit.file == "reference/flat_trees/base_intervals.py")
    change = Change(within="", old=("self.front += 1",), new=("self.front += 1  # the oldest",))
    harmless = replace(edit, name="a comment", changes=(change,), row=row)
    outcome, words = judge(harmless)
    assert outcome == "holds", words
