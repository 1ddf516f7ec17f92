"""The papers' clauses on user classes: a right one passes, a wrong one is reported with its clause and its field."""

import contextlib
import copy
import pickle
import re
from random import Random
from typing import Any

import pytest
from support.places import TESTS

from swagproof import ContractViolation, checked
from swagproof.models.operations import CONCATENATION, MAX, Operation
from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.subject import _import_named, load_subject  # pyright: ignore[reportPrivateUsage]  # tests see all
from swagproof.oracle.trace import InputError
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.trees.fiba import Fiba
from swagproof.reference.trees.fiba_bulk import BulkFiba

MODULE, _ = _import_named(f"{TESTS / 'subjects' / 'states' / 'checked.py'}:Lite", "Class")


@checked("two-stacks-lite", state=MODULE.FIELDS)
class Copied(MODULE.Lite):  # type: ignore[misc]  # of a file that is loaded by its name
    """A class that unpickling finds by name."""


def state_of(window: Any) -> dict[str, Any]:
    """Return the fields of a running reference, under their own names."""
    if hasattr(window, "root"):
        return {name: getattr(window, name) for name in ("min_arity", "root", "left_finger", "right_finger")}
    begin = window.deque.begin()
    pointers = {name: getattr(window, name) - begin for name in "LRAB"}
    return {"deque": [*window.deque], **pointers}


def play(window: Any, operations: int = 300, seed: int = 0) -> None:
    """Run inserts, evicts and queries."""
    random, size = Random(seed), 0
    for _ in range(operations):
        if random.random() < 0.5 or not size:
            window.insert(random.choice("abc"))
            size += 1
        else:
            window.evict()
            size -= 1
        window.query()


def test_who_is_right_is_let_be() -> None:
    @checked("two-stacks-lite", state=MODULE.FIELDS)
    class Mine(MODULE.Lite):  # type: ignore[misc]  # of a file that is loaded by its name
        """Mine."""

    window: Any = Mine(CONCATENATION)
    play(window)
    assert (Mine.__name__, Mine.__doc__, isinstance(window, MODULE.Lite)) == ("Mine", "Mine.", True)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("KeepsTheTail", "two-stacks-lite, aggB: aggB = v_{B-F} .*; fields: B .split., aggB .tail."),
        ("FlipsBackwards", "two-stacks-lite, contents: .*; deque.0. is .*; fields: deque .items., B .split."),
        ("ForgetsTheSplit", "two-stacks-lite, contents|two-stacks-lite, pointer_order"),
        ("SwapsAtTheEnd", "two-stacks-lite, answer: query answers the product of the window; it is"),
    ],
)  # fmt: skip
def test_who_is_wrong_is_told_the_clause_and_the_field(name: str, said: str) -> None:
    made = checked("two-stacks-lite", state=MODULE.FIELDS, monoid="ops")(getattr(MODULE, name))
    with pytest.raises(ContractViolation, match=said):
        play(made(CONCATENATION))


def test_a_bulk_is_its_single_operations_and_is_looked_at_once_done() -> None:
    @checked("two-stacks-lite", state=MODULE.FIELDS, methods={"bulk_evict": "drop"})
    class Mine(MODULE.Lite):  # type: ignore[misc]  # of a file that is loaded by its name
        swaps = False

        def bulk_insert(self, values: Any) -> None:
            for value in values:
                self.insert(value)
            self.split += self.swaps

        def drop(self, count: int) -> None:
            for _ in range(count):
                self.evict()

    window: Any = Mine(CONCATENATION)
    window.bulk_insert(iter("abcd"))
    window.drop(2)
    assert window.query() == "cd"
    play(window)
    window.drop(0)
    wrong: Any = Mine(CONCATENATION)
    wrong.swaps = True
    with pytest.raises(ContractViolation, match="two-stacks-lite, "):
        wrong.bulk_insert([])


def test_out_of_order_a_bulk_goes_along_by_its_times() -> None:
    @checked("fiba", state=state_of)
    class Mine(BulkFiba[str]):
        """FiBA with bulk operations."""

    window = Mine(CONCATENATION, 2)
    window.bulk_insert([(1, "a"), (1, "b"), (2, "c"), (5, "d")])
    window.bulk_evict(1)
    window.insert(9, "e")
    assert window.query() == "cde"


def test_in_production_some_operations_are_looked_at_and_nothing_is_raised() -> None:
    found: list[ContractViolation] = []
    made = checked("two-stacks-lite", state=MODULE.FIELDS, sample=0.1, report=found.append)(MODULE.FlipsBackwards)
    play(made(CONCATENATION), 2000)
    assert 0 < len(found) < 600
    assert {violation.clause for violation in found} <= {"contents", "answer"}


@pytest.mark.parametrize(
    ("algorithm", "made", "operation"),
    [("daba", Daba, CONCATENATION), ("fiba", Fiba, CONCATENATION), ("daba", Daba, MAX)],
)
def test_a_function_gives_the_whole_state(algorithm: str, made: Any, operation: Operation[Any, Any, Any]) -> None:
    Mine: Any = checked(algorithm, state=state_of)(made)  # type: ignore[arg-type]  # of two
    window = Mine(operation)
    for number in range(40):
        window.insert(*([number % 7] if algorithm == "fiba" else []), "abc"[number % 3])
        window.query()
        if number % 3 == 2:
            window.evict(*([number % 7] if algorithm == "fiba" else []))


def test_conform_names_the_clause_that_a_checked_class_breaks() -> None:
    backwards = load_subject(f"{TESTS / 'subjects' / 'states' / 'checked.py'}:CheckedBackwards")
    verdict = judge(backwards, domains_of(backwards, ("concatenation",)), seed=0, budget=2).verdict
    assert "evict raised ContractViolation: two-stacks-lite, contents: " in verdict.sentence


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"algorithm": "three-stacks"}, "'three-stacks' is none of two-stacks, "),
        ({"state": {"deck": "items"}}, "field deck: two-stacks-lite has deque, B, aggB"),
        ({"state": {**MODULE.FIELDS, "B": "splitt"}}, "field B, splitt: 'Lite' object has no attribute 'splitt'"),
        ({"sample": 0}, "a fraction of the operations, greater than 0"),
    ],
)
def test_what_does_not_fit_is_refused(given: dict[str, Any], said: str) -> None:
    options: dict[str, Any] = {"algorithm": "two-stacks-lite", "state": MODULE.FIELDS, **given}
    with pytest.raises(InputError, match=said):
        checked(**options)(MODULE.Lite)(CONCATENATION).insert("a")


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda window: pickle.loads(pickle.dumps(window))])
def test_a_copy_is_watched_for_itself(copied: Any) -> None:
    window: Any = Copied(CONCATENATION)
    window.insert("a")
    other = copied(window)
    window.evict()
    other.insert("b")
    assert (other.query(), window.query()) == ("ab", "")
    other.items.pop()
    with pytest.raises(ContractViolation, match="two-stacks-lite, "):
        other.insert("c")


def test_what_is_made_past_its_constructor_is_not_watched() -> None:
    window: Any = Copied.__new__(Copied)
    vars(window).update(vars(MODULE.Lite(CONCATENATION)))
    window.insert("a")
    assert window.query() == "a"


def test_what_other_methods_and_exceptions_leave_open_accuses_nobody() -> None:
    @checked("two-stacks-lite", state=MODULE.FIELDS)
    class Richer(MODULE.Lite):  # type: ignore[misc]  # of a file that is loaded by its name
        def clear(self) -> None:
            self.__dict__.update(items=[], split=0, tail=self.ops.identity)

        def extend(self, values: str) -> None:
            for value in values:
                self.insert(value)

        def size(self) -> int:
            return len(self.items)

        def insert(self, v: str) -> None:
            super().insert(v)
            if v == "!":
                raise ValueError(v)

    window: Any = Richer(CONCATENATION)
    window.extend("ab")
    window.size()
    window.split = 9
    with pytest.raises(ContractViolation):
        window.query()
    for does in (lambda window: window.clear(), lambda window: window.insert("!")):
        window = Richer(CONCATENATION)
        window.extend("ab")
        with contextlib.suppress(ValueError):
            does(window)
        with pytest.warns(RuntimeWarning, match="its content after (clear|insert).* is unknown, so it is no longer"):
            window.evict() if window.items else window.insert("c")
        play(window)


class Filled(MODULE.Lite):  # type: ignore[misc]  # of a file that is loaded by its name
    """A window with a constructor, a property and a call that change it."""

    def __init__(self, monoid: Any, elements: str = "", items: Any = ()) -> None:
        super().__init__(monoid)
        for element in elements:
            self.insert(element)
        if items:
            self.items = [*items]
            self.tail = "".join(items)

    @property
    def newest(self) -> Any:
        return self.items[-1]

    @newest.setter
    def newest(self, v: Any) -> None:
        self.__dict__.update(items=[v], split=0, tail=v)

    def __call__(self, v: Any) -> None:
        self.newest = v


def test_a_constructor_may_fill_a_window_and_arguments_have_names() -> None:
    made = checked("two-stacks-lite", state=MODULE.FIELDS)(Filled)
    window = made(CONCATENATION, elements="ab")  # by operations, which are recorded
    window.insert(v="c")
    window.evict()
    assert window.query() == "bc"
    window.split = 9
    with pytest.raises(ContractViolation):
        window.query()
    with pytest.raises(TypeError, match="missing a required argument: 'v'"):
        made(CONCATENATION).insert(w="c")


@pytest.mark.parametrize("does", ["items", "newest", "call", "derived"])
def test_whatever_of_the_class_changes_a_window_accuses_nobody(does: str) -> None:
    made = checked("two-stacks-lite", state=MODULE.FIELDS)(Filled)

    class Derived(made):  # type: ignore[misc, valid-type]  # made just now
        def clear(self) -> None:
            self.__dict__.update(items=[], split=0, tail=self.ops.identity)

    window = Derived(CONCATENATION, "ab", "xyz" if does == "items" else ())
    if does == "newest":
        window.newest = "d"
    elif does == "call":
        window("d")
    elif does == "derived":
        window.clear()
    with pytest.warns(RuntimeWarning, match="is unknown, so it is no longer checked"):
        window.insert("c")
    window.query()


def test_a_window_whose_monoid_nobody_knows_is_refused() -> None:
    @checked("recalculate", state={"deque": "values"})
    class Sums:
        values: tuple[int, ...] = ()

        def insert(self, v: int) -> None:
            self.values = (*self.values, v)

        def evict(self) -> None:
            self.values = self.values[1:]

        def query(self) -> int:
            return sum(self.values)

    with pytest.raises(InputError, match="the monoid of Sums is not known: give monoid= an object with identity"):
        Sums()
    told: Any = checked("recalculate", state={"deque": "values"}, monoid="sum")(Sums.__mro__[1])
    told().insert(3)


def test_a_class_with_other_names_is_told_what_to_write() -> None:
    class Renamed:
        """A class whose evict is called pop."""

        insert = push = pop = query = lambda self: None

    said = 'Renamed has no method evict; name yours with methods={"evict": "..."}; it has insert, pop, push, query'
    with pytest.raises(InputError, match=re.escape(said)):
        checked("two-stacks-lite", state={"deque": "values"})(Renamed)
