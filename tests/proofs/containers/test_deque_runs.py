"""The symbolic runs of the chunked deque: defects that they find, and code that they refuse to run."""

import pytest

from swagproof.proofs.containers.deque_runs import OPERATIONS, DequeOperation, explore_operation
from swagproof.proofs.engine.language import Unseen
from swagproof.proofs.ledger.mutants import mutants_of, wrong


def test_every_operation_refines_that_of_the_definition() -> None:
    shown = set[str]()
    for operation in OPERATIONS:
        report = explore_operation(operation)
        assert (report.failures, report.sound) == ([], True), operation
        shown |= set(report.shown)
    assert {"full where the deque is, vacant elsewhere", "following of every chunk", "p - q", "the place"} <= shown


def test_a_chunk_numbered_wrong_is_found_at_the_boundary_and_nowhere_else() -> None:
    mistake = mutants_of("containers", "deque")["a new chunk counts one place too few"]
    (failure,) = explore_operation("push_back", mistake).failures
    assert failure.obligation == "first of every chunk"
    assert int(failure.example.split("end = ")[1].split(",")[0]) % 64 == 63
    assert not explore_operation("pop_front", mistake).failures


PUSH = ("ChunkedDeque.push_back", "back = self._back\n")
WALKS: list[tuple[DequeOperation, tuple[str, str, str], str]] = [
    ("push_back", (*PUSH, "back = self._back\n        for _ in self: pass\n"), "loops"),
    ("push_back", (*PUSH, "back = self._back\n        while back.preceding is not None: back = back.preceding\n"),
     "loops"),
    ("push_back", (*PUSH, "back = self._back\n        size = sum(1 for _ in self)\n"), "select"),
    ("push_back", (*PUSH, "back = self._back\n        kept = [slot for slot in back.slots]\n"), "select"),
    ("push_back", (*PUSH, "back = self._back\n        len(back.slots)\n"), "len"),
    ("push_back", (*PUSH, "back = self._back\n        back.seen = item\n"),
     "the place that back.seen changes"),
    ("push_back", (*PUSH, "back = self._back\n        self.more = item\n"), "the deque keeps its attributes"),
    ("p + 1", ("Pointer.__add__", "offset += steps", "offset += steps if type(steps) else 1"), "the name type"),
]  # fmt: skip


@pytest.mark.parametrize(("operation", "edit", "why"), WALKS, ids=[why.replace(" ", "-") for *_, why in WALKS])
def test_a_walk_over_the_deque_is_not_run(operation: DequeOperation, edit: tuple[str, str, str], why: str) -> None:
    try:
        report = explore_operation(operation, wrong(why, edit))
        found = [f"{each.obligation} {each.example}" for each in report.failures]
    except Unseen as refused:
        found = [str(refused)]
    assert any(why in each for each in found), found


@pytest.mark.parametrize(
    "edit",
    [
        ("Chunk", "    def __init__", "    def __setattr__(self, name, value):\n        pass\n\n    def __init__"),
        ("Pointer", "    def __hash__", "    def __getattribute__(self, name):\n        pass\n\n    def __hash__"),
        ("ChunkedDeque", "    def __len__", "    def more(self) -> int:\n        return 0\n\n    def __len__"),
    ],
)
def test_what_the_classes_have_besides_is_refused(edit: tuple[str, str, str]) -> None:
    with pytest.raises(Unseen, match=r"the engine does not (run|know the hook)"):
        explore_operation("ends", wrong("more", edit))


def test_what_is_asked_of_a_value_is_not_run() -> None:
    """isinstance distinguishes pointers from numbers; any other type test is refused."""
    edit = ("ChunkedDeque.push_back", "back = self._back\n", "back = self._back\n        isinstance(item, Pointer)\n")
    (failure,) = explore_operation("push_back", wrong("asks", edit)).failures
    assert failure.unknown
    assert "asked of a value" in failure.example
