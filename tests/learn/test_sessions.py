"""A session matches the reference: line by line, clause by clause, forward and back, and in a link."""

import json
import os
import re
import subprocess
import sys
from functools import reduce
from typing import Any, Final

import pytest

from swagproof.learn import recorder
from swagproof.learn.plays.repertoire import PLAYS, kinds
from swagproof.learn.recorder import MOST_LINES
from swagproof.learn.session import Session
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.trees.runs import counted, summing
from swagproof.reference.costs import b_tree_billed, b_tree_calls, fiba_billed, fiba_calls, range_cost
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba

BOUNDED = ("fifo", "shared", "out of order")
"""The kinds of windows with numeric bounds; for others the contracts bound each operation."""
NO_CALLS = ("timegram", "ordered-sharing")

IN_ORDER = ("two-stacks", "two-stacks-lite", "daba", "daba-lite")


def opened(**message: Any) -> tuple[Session, dict[str, Any]]:
    """Open a session with this algorithm; its answer goes through JSON, as for a page."""
    session = Session()
    answer = json.loads(json.dumps(session.handle({"do": "open", **message})))
    return session, answer


def step(session: Session, at: int) -> dict[str, Any]:
    return json.loads(json.dumps(session.handle({"do": "step", "at": at})))  # type: ignore[no-any-return]  # an object


@pytest.mark.parametrize("slug", PLAYS)
@pytest.mark.drawn(8)
def test_every_scenario_plays_keeps_its_promises_and_takes_no_more_than_is_allowed(slug: str) -> None:
    session, answer = opened(algorithm=slug)
    ranges = [["range_query", 2, 4], ["range_query", 4, 2]] if "range_query" in answer["takes"] else []
    assert answer["scenarios"]
    for scenario in answer["scenarios"]:
        operations = session.handle({"do": "scenario", "name": scenario["name"], "size": 5})["operations"] + ranges
        played = session.handle({"do": "open", "algorithm": slug, "history": operations})
        assert played["history"] == operations
        assert [number for number, each in enumerate(played["steps"]) if each[3]] == []
        bounds = played["bounds"]
        assert all(most is None or calls <= most for calls, most in zip(played["calls"][1:], bounds, strict=True))
        last = step(session, played["ends"][-1])
        assert last["account"]["most"] is None or last["total"] <= last["account"]["most"]
        assert last["account"]["source"]
        has_figures = any(most is not None for most in (*bounds, last["account"]["most"]))
        assert has_figures is (kinds()[slug] in BOUNDED and slug not in NO_CALLS)


def test_lines_are_those_of_the_text_and_carry_the_papers() -> None:
    session, answer = opened(algorithm="daba", history=[["insert", "a"], ["insert", "b"]])
    steps = [step(session, number) for number in range(len(answer["steps"]))]
    rows = {(f["name"], f["first"] + n): row for f in answer["functions"] for n, row in enumerate(f["lines"])}
    lines = [each for each in steps if each["line"]]
    assert all((each["function"], each["line"]) in rows for each in lines)
    tags = [tag[:2] for each in lines[:4] for tag in rows[each["function"], each["line"]]["tags"]]
    assert tags[:2] == [["DABA insert", "11"], ["DABA insert", "12"]]
    printed = {listing["name"]: listing["lines"] for listing in answer["listings"]}
    assert {"label": "12", "depth": 0, "printed": "E <- E + 1", "entry": None} in printed["DABA insert"]


def test_what_a_line_combined_is_said_and_the_definitions_own_calls_are_not() -> None:
    session, answer = opened(algorithm="daba", history=[["insert", letter] for letter in "abc"])
    combined = [each for n in range(len(answer["steps"])) for each in step(session, n)["combined"]]
    assert [["a", "v0"], ["b", "v1"], ["ab", "v0…v1"]] in combined
    assert len(combined) == sum(answer["calls"]) == step(session, len(answer["steps"]) - 1)["total"]


@pytest.mark.parametrize("slug", ["reactive-aggregator", "slicing:-pairs", "stream-slicing"])
def test_what_the_contracts_read_and_combine_is_none_of_the_operation_s_lines_and_calls(slug: str) -> None:
    session, answer = opened(algorithm=slug)
    total = 0
    for number, (operation, *_) in enumerate(answer["history"]):
        first, last = answer["ends"][number] + 1, answer["ends"][number + 1]
        steps = [step(session, at) for at in range(first, last + 1)]
        depths = [depth for _, depth, *_ in answer["steps"][first:last]]
        outermost = {
            each["function"].partition(".")[2] for each, depth in zip(steps, depths, strict=False) if depth == 0
        }
        assert outermost == {operation}
        combined = sum(len(each["combined"]) for each in steps)
        total += combined
        assert (combined, total) == (steps[-1]["calls"], steps[-1]["total"])
        assert combined == answer["calls"][number + 1]


@pytest.mark.parametrize("slug", PLAYS)
def test_a_clause_that_is_pointed_at_lights_what_it_speaks_of(slug: str) -> None:
    session, answer = opened(algorithm=slug)
    svg = step(session, len(answer["steps"]) - 1)["svg"]
    drawn = {link for links in re.findall(r'data-links="([^"]*)"', svg) for link in links.split()}
    unlit = {clause["name"] for clause in answer["clauses"] if not drawn & {*clause["fields"]}}
    assert unlit <= {"space", "nothing waits"}  # clauses about everything; a field that only bulk operations have


def test_bulks_are_stepped_answer_as_their_single_operations_and_make_no_promise_in_numbers() -> None:
    history: list[list[Any]] = [["bulk_insert", [[1, "a"], [3, "c"], [4, "d"]]], ["bulk_insert", [[2, "b"], [3, "C"]]]]
    history += [["query"], ["bulk_evict", 2], ["insert", 9, "z"], ["query"]]
    session, answer = opened(algorithm="fiba-bulk", history=history)
    ends = [step(session, at) for at in answer["ends"]]
    assert [each["answer"] for each in ends if each["answer"]] == ["abcCd", "cCdz"]
    assert [each[3] for each in answer["steps"] if each[3]] == []
    assert answer["labels"][1:4] == ['bulk_insert 2 "b", 3 "C"', "query", "bulk_evict 2"]
    assert (answer["next"]["held"], answer["next"]["element"]) == ([3, 4, 9], "g")
    said = ["no figure" in each["account"]["source"] for each in ends]
    assert said == [False, True, True, False, True, False, False]
    assert answer["bounds"][:4] == [None, None, 2, None]
    assert answer["bounds"][4] == fiba_calls(0, 0, 2)
    functions = {step(session, at)["function"] for at in range(answer["ends"][1])}
    assert {"BulkFiba.bulk_insert", "BulkFiba.put", "BulkFiba.repair_changed"} <= functions
    drawn = session.handle({"do": "scenario", "name": "watermarks", "size": 100})["operations"]
    assert not session.handle({"do": "open", "algorithm": "fiba-bulk", "history": drawn})["failed"]


def test_an_answer_is_the_reference_s() -> None:
    operations = [["insert", "a"], ["insert", "b"], ["insert", "c"], ["evict"], ["query"]]
    session, answer = opened(algorithm="daba", history=operations)
    window = Daba(CONCATENATION)
    for letter in "abc":
        window.insert(letter)
    window.evict()
    assert step(session, answer["ends"][-1])["answer"] == window.query()


def test_a_refusal_is_said_and_the_history_goes_on() -> None:
    session, answer = opened(algorithm="daba", history=[["evict"], ["insert", "a"]])
    assert "EmptyWindowError" in step(session, answer["ends"][1])["says"]
    assert (answer["failed"], len(answer["history"])) == (False, 2)


def test_what_is_asked_of_a_shared_window_wrongly_is_refused_and_the_history_goes_on() -> None:
    for slug, history in (
        ("stream", [["register", 2], ["insert", "a"], ["register", 3], ["lookup", 5], ["lookup", 2]]),
        ("flat-fit", [["insert", "a"], ["lookup", 2], ["lookup", 1]]),
    ):
        session, answer = opened(algorithm=slug, history=history)
        assert (answer["failed"], [each for each in answer["steps"] if each[3]]) == (False, [])
        assert "Error: " in step(session, answer["ends"][-2])["says"]
        assert step(session, answer["ends"][-1])["answer"] == "a"


def test_a_mistake_breaks_a_clause_at_the_places_that_it_is_about() -> None:
    changes = {"Daba.fixup": mutated("combine(combine(self.pi_L(), self.pi_R()), self.pi_A())", "self.pi_L()")}
    session, answer = opened(
        algorithm="daba", changes=changes, history=[["insert", letter] for letter in "abcdefgh"] + [["evict"]] * 3
    )
    bad = [number for number, each in enumerate(answer["steps"]) if each[3]]
    looks = dict(zip([c["name"] for c in answer["clauses"]], step(session, bad[0])["looks"], strict=True))
    assert (looks["aggregates"]["holds"], looks["values"]["holds"]) == (False, True)
    assert all(f'data-place="{place}"' in step(session, bad[0])["svg"] for place in looks["aggregates"]["broken"])


def mutated(old: str, new: str) -> str:
    """Return the text of `fixup` with one expression changed."""
    _, answer = opened(algorithm="daba", history=[])
    (text,) = ["\n".join(row["text"] for row in f["lines"]) for f in answer["functions"] if f["name"] == "Daba.fixup"]
    assert text.count(old) == 1
    return text.replace(old, new)


@pytest.mark.drawn(0)
def test_an_operation_as_long_as_the_window_ends_and_is_drawn_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    message = {"algorithm": "reactive-aggregator", "history": [["insert", "a"]] * 18}
    usual, answer = opened(**message)
    pictures = [step(usual, at)["svg"] for at in range(len(answer["steps"]))]
    for name, value in (("AT_ONCE", 10), ("MOST_DRAWN", 2)):
        monkeypatch.setattr(recorder, name, value)
    session, again = opened(**message)
    assert not again["failed"]
    assert [step(session, at)["svg"] for at in range(len(pictures))] == pictures
    assert step(session, 0)["svg"] == pictures[0]
    monkeypatch.setattr(recorder, "MOST_LINES", 30)
    assert opened(**message)[1]["failed"]


def test_what_is_held_is_what_is_there_now() -> None:
    history = [["insert", 1, "a"], ["evict", 1], ["insert", 1, "b"], ["insert", 5, "c"], ["insert", 5, "d"]]
    _, answer = opened(algorithm="fiba", history=[*history, ["evict", 5]])
    assert answer["next"] == {"element": "e", "time": 6, "oldest": 1, "held": [1]}


def test_an_operation_that_never_ends_is_stopped() -> None:
    combine = "combine = self.monoid.combine\n"
    text = mutated(combine, f"{combine}        while self.F == self.F:\n            v = 1\n")
    session, answer = opened(algorithm="daba", changes={"Daba.fixup": text}, history=[["insert", "a"]])
    assert answer["failed"]
    assert f"{MOST_LINES:,} lines" in step(session, answer["ends"][-1])["fails"]


DEEP: Final = reduce(lambda inner, _: [inner], range(3000), list[Any]())


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("?", "a message is an object"),
        ({"do": "open", "algorithm": "fiba", "options": []}, "the message cannot be used"),
        ({"do": "open", "algorithm": "quicksort"}, "quicksort: no algorithm of that name"),
        ({"do": "open", "algorithm": "daba", "monoid": "hats"}, "hats: a monoid is one of"),
        ({"do": "open", "algorithm": "daba", "history": [["push", 1]]}, "is none of insert, evict, query"),
        (
            {"do": "open", "algorithm": "slicing:-panes", "history": [["insert", "x", "a"]]},
            "its time must be a whole number",
        ),
        ({"do": "open", "algorithm": "daba", "history": [["insert", 1]]}, "1 is not an element of letters"),
        ({"do": "open", "algorithm": "daba", "monoid": "sum", "history": [["insert", 0.1]]}, "decimals round"),
        ({"do": "open", "algorithm": "daba", "monoid": "max", "history": [["insert", "x"]]}, "it must be a number"),
        ({"do": "open", "algorithm": "timegram", "history": [["register", 0]]}, "at least 1"),
        ({"do": "open", "algorithm": "cutty", "history": [["wait", 0.5]]}, "a whole number"),
        ({"do": "open", "algorithm": "flat-fat", "options": {"places": 1 << 30}}, "is none of 8, 16"),
        ({"do": "open", "algorithm": "daba", "changes": {"Daba.fixup": "def fixup(self:"}}, "line "),
        ({"do": "open", "algorithm": "daba", "changes": {"Daba.fly": ""}}, "no such function"),
        ({"do": "open", "algorithm": "fiba-bulk", "history": [["bulk_insert", [[2, "a"], [1, "b"]]]]}, "sort"),
        ({"do": "open", "algorithm": "fiba-bulk", "history": [["bulk_insert", [2, "a"]]]}, "[time, element]"),
        (
            {"do": "open", "algorithm": "daba", "monoid": "max", "history": [["insert", 2**53]]},
            "a browser cannot represent",
        ),
        (
            {"do": "open", "algorithm": "daba", "monoid": "max", "history": [["insert", float("inf")]]},
            "a browser cannot",
        ),
        ({"do": "open", "algorithm": "daba", "history": [["query"]] * 501}, "at most 500 operations"),
        ({"do": "open", "algorithm": "daba", "history": [["insert", DEEP]]}, "nested too deeply"),
        ({"do": "open"}, "lacks 'algorithm'"),
        ({"do": "step", "at": 0}, "no algorithm is open"),
    ],
)
def test_a_message_that_cannot_be_used_is_an_error_that_says_so(message: Any, said: str) -> None:
    assert said in Session().handle(message)["error"]


@pytest.mark.parametrize(("slug", "algorithm"), [("b-tree", BTree), ("fiba", Fiba), ("fiba-bulk", Fiba)])
def test_a_tree_s_calls_stand_beside_what_its_theorem_allows_with_the_steps_that_were_made(
    slug: str, algorithm: type[Any]
) -> None:
    session, _ = opened(algorithm=slug)
    drawn = session.handle({"do": "scenario", "name": "middle out", "size": 14})["operations"]
    operations: list[list[Any]] = [
        *drawn[:14],
        *(["insert", t, "z"] for t in (2, -5, 6)),
        *drawn[14:],
        ["insert", 1, "a"],
    ]
    answer = session.handle({"do": "open", "algorithm": slug, "monoid": "letters", "history": operations})
    tree, times = counted(algorithm)(summing(), 2), set[int]()
    total, sources = 0, list[str]()
    for (name, *arguments), calls, bound in zip(operations, answer["calls"][1:], answer["bounds"], strict=True):
        tree.monoid.clear()
        if name == "query":
            assert calls <= bound
            total += bound
            continue
        t = arguments[0]
        before, after = sum(each < t for each in times), sum(each > t for each in times)
        getattr(tree, name)(t, *([1] if name == "insert" else []))
        steps, d, n = tree.monoid.steps, min(before, after), len(times)
        most = b_tree_calls(n, steps, 2) if slug == "b-tree" else fiba_calls(d, steps, 2)
        assert calls <= bound == most
        total += b_tree_billed(n, 2) if slug == "b-tree" else fiba_billed(d, 2)
        sources.append(f"rebalancing steps {steps}")
        (times.add if name == "insert" else times.discard)(t)
    last = step(session, answer["ends"][-1])
    assert last["total"] <= last["account"]["most"] == total
    assert last["account"]["source"].endswith(sources[-1])
    assert {"rebalancing steps 0", "rebalancing steps 1"} < {*sources}


@pytest.mark.parametrize(
    ("slug", "function", "operation", "most"),
    [
        ("fiba", "Fiba.insert", ["insert", 1, "a"], fiba_calls(0, 0, 2)),
        ("fiba", "AugmentedTree.range_query", ["range_query", 1, 1], range_cost(0, 2)),
        ("flat-fit", "FlatFit.query", ["query"], 0),
        ("slick-deque", "SlickDeque.evict", ["evict"], 0),
        ("base-intervals", "BaseIntervals.insert", ["insert", "a"], 0),
        ("flat-fat", "FlatFat.prefix", ["prefix", 1], None),
        ("reactive-aggregator", "ReactiveAggregator.query", ["query"], None),
        ("cutty", "Cutty.insert", ["insert", "a"], None),
        ("slicing:-pairs", "Sliced.insert", ["insert", 1, "a"], None),
        ("stream", "NaiveStream.insert", ["insert", "a"], 1),
    ],
)
def test_what_combines_more_than_is_allowed_is_seen_to(
    slug: str, function: str, operation: list[Any], most: int | None
) -> None:
    before = {"slick-deque": [["insert", 2]], "stream": [["register", 2]]}.get(slug, [])
    history = [*before, operation]
    _, usual = opened(algorithm=slug, history=[])
    lines = [line["text"] for line in next(each["lines"] for each in usual["functions"] if each["name"] == function)]
    head = next(at for at, line in enumerate(lines) if line.rstrip().endswith('"""')) + 1
    waste = "        for _ in range(99):\n            self.monoid.combine(self.monoid.identity, self.monoid.identity)"
    text = "\n".join([*lines[:head], waste, *lines[head:]])
    _, answer = opened(algorithm=slug, history=history, changes={function: text})
    assert answer["steps"][-1][3]  # a condition is broken
    assert answer["bounds"][-1] == most


def test_a_wrong_answer_is_said_before_what_it_cost() -> None:
    changed = """    def query(self):
        combine = self.monoid.combine
        return combine(combine(self.pi_B(), self.pi_F()), self.monoid.identity)
"""
    history = [["insert", "a"], ["insert", "b"], ["insert", "c"], ["query"]]
    session, answer = opened(algorithm="daba", monoid="letters", history=history, changes={"Daba.query": changed})
    step = session.handle({"do": "step", "at": len(answer["steps"]) - 1})
    assert step["calls"] == 2
    assert step["fails"] == "the answer is cab, and should be abc"


LIES = """
import ast, inspect, sys, textwrap
from icontract import SLOW
from swagproof.contracts.shadows.shadow import Shadow
from swagproof.learn.plays.play import with_elements
from swagproof.learn.plays.repertoire import PLAYS
from swagproof.learn.recorder import Player
from swagproof.learn.settings import read_setting
from swagproof.learn.texts import Text

assert not SLOW

def list_slow(checked):
    for cls in checked.__mro__:
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(cls)))) if issubclass(cls, Shadow) else ():
            for each in getattr(node, "decorator_list", ()):
                if isinstance(each, ast.Call) and any(word.arg == "enabled" for word in each.keywords):
                    if "result" in ast.unparse(each.args[0]):  # it is about an answer
                        yield node.name, each.args[1].value

asked, ask = 0, Shadow._ask
for slug, play in PLAYS.items():
    setting = read_setting({"algorithm": slug})
    setup = setting.set_up(Text(setting.column.algorithm))
    for operation, condition in dict.fromkeys(list_slow(setting.column.checked)):
        if operation not in play.operations:
            continue
        asked += 1
        if condition == "space":
            assert "space" in [clause.name for clause in setup.clauses], slug
            continue
        histories = [play.start, *(each.make(6) for each in play.scenarios), [*play.start, ["advance", 99]]]
        history = next(each for each in histories if any(name == operation for name, *_ in each))
        player = Player(setup, draws=False)
        Shadow._ask = lambda self, name, *given: [ask(self, name, *given), ["a lie"]][name == operation]
        for each in with_elements(history, play, setting.monoid):
            player.perform(each)
            if each[0] == operation:
                break
        Shadow._ask = ask
        assert "the answer is ['a lie'], and should be" in player.steps[-1].fails, (slug, operation, condition)
print(asked)
"""


def test_conditions_that_wait_for_icontract_slow_are_asked_without_it() -> None:
    quick = {name: value for name, value in os.environ.items() if name != "ICONTRACT_SLOW"}
    run = subprocess.run([sys.executable, "-c", LIES], capture_output=True, text=True, env=quick, check=False)
    assert (run.stderr, run.returncode) == ("", 0)
    assert int(run.stdout) > 30
