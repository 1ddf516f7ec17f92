"""Structs by place and queues of the stream's own elements, and clauses that range over several containers."""

from collections import deque
from types import SimpleNamespace
from typing import Any

from swagproof.contracts.clause import equal, for_all
from swagproof.proofs.engine.paths import Path, explore
from swagproof.proofs.engine.records import NUMBER, New, Record, Records, take
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import Segment, SymbolicInt
from swagproof.proofs.sharing.stream_runs import SegmentQueue


class Counted(Records):
    """Structs of one number."""

    PARTS = {"n": NUMBER}  # noqa: RUF012  # read by the class that it is a part of


@for_all("sizes", "items")
def all_beneath(s: Any, size: Any, j: Any) -> bool:
    """no item is greater than any size"""
    return bool(s.items[j] <= size)


def test_a_clause_over_several_containers_is_looked_at_in_every_combination() -> None:
    state = SimpleNamespace(sizes={3: "", 5: ""}, items=deque([1, 3]))
    assert all_beneath(state)
    state.items.append(4)
    assert not all_beneath(state)
    assert equal(state.items, [1, 3, 4])


def test_a_struct_is_its_place_by_whatever_name() -> None:
    def run(path: Path) -> None:
        structs = Counted("structs", path)
        i, j = path.fresh("i"), path.fresh("j")
        Record(structs, i).store("n", z3.IntVal(7))
        path.show("the same place, the same struct", z3.Implies(i == j, Record(structs, j).load("n") == 7))
        path.show("another place, the same struct", Record(structs, j).load("n") == 7)

    assert [failure.obligation for failure in explore(run).failures] == ["another place, the same struct"]


def test_a_queue_takes_the_elements_of_the_stream_in_their_order() -> None:
    def run(path: Path) -> None:
        n = path.fresh("n")
        queue = SegmentQueue()
        queue.append(Segment(n, n + 1))
        queue.append(Segment(n + 1, n + 2))
        queue.popleft()
        path.show("the newer is left", queue.equals(SegmentQueue(n + 1, z3.IntVal(1))).term)
        queue.append(Segment(n, n + 1))

    failures = explore(run).failures
    assert [failure.obligation for failure in failures] == ["a queue is given the stream's next element"]


def test_what_is_put_into_a_list_is_new_and_in_no_other_place() -> None:
    def run(path: Path) -> None:
        path.run = SimpleNamespace(turns={})
        one, another = New(), New()
        take(one, New)
        assert not path.report.failures
        take(one, New)
        assert len(path.report.failures) == 1
        path.run.turns["insert_done"] = SymbolicInt(path.fresh("turns"))  # a loop, each turn of which would take it
        take(another, New)
        assert len(path.report.failures) == 2
        take(Segment(path.fresh("lo"), path.fresh("hi")), New)

    assert len(explore(run).failures) == 3
