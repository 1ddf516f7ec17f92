"""Claims about Cutty and the windows that it serves, and the mutants that the checks must reject."""

from collections.abc import Mapping
from functools import partial, reduce
from typing import Any, Final

from swagproof.proofs.explorer.walk import Counts, find_once, judge, refute, search
from swagproof.proofs.ledger.claim import STREAM_WINDOWS, Claim, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, Mutants, class_of, mutants_of
from swagproof.proofs.ledger.theorem import runs_of_class
from swagproof.proofs.slicing import cutty_runs, store_runs
from swagproof.proofs.slicing.deterministic import Bounds, spaces
from swagproof.proofs.slicing.discretised import FAR, answers_are_aggregates, falls_back, fewest, marks_are_windows
from swagproof.reference.catalogue import CUTTY
from swagproof.reference.slicing import cutty

WRONG: Final = Mutants(CUTTY, table="cutty")
"""Mutants that the explorer with one query, and a contract, must reject."""
UNSEEN: Final = tuple(mutants_of("cutty", "unseen").values())
"""Mutants that only an exploration of the whole state, from any state, over opaque values can reject."""


FEW: Final = Bounds(deterministic=1, looking_back=0, windows=4, begin=2, slices=9)
SMALL: Final = Bounds(deterministic=1, looking_back=0, windows=3, begin=2, slices=5)
ONE: Final = Bounds(deterministic=1, looking_back=0, windows=5, begin=2, slices=9)
TWO: Final = Bounds(deterministic=2, looking_back=0, windows=1, begin=1, slices=3)
DEEP: Final = Bounds(deterministic=2, looking_back=0, windows=2, begin=1, slices=4)
MIXED: Final = Bounds(deterministic=1, looking_back=1, windows=1, begin=1, slices=3)
EXPLORED: Final = {SMALL: Counts(36, 974), TWO: Counts(53, 1704), MIXED: Counts(51, 4926)}
EXPLORED_DEEP: Final = {ONE: Counts(170, 9544), DEEP: Counts(539, 55264)}
"""Bounds of the explorations, with the expected numbers of states and transitions."""


def explored(bounds: Mapping[Bounds, Counts]) -> Outcome:
    """Explore within each of these bounds."""
    return judge(find_once(*(spaces(each) for each in bounds)), reduce(Counts.add, bounds.values()))


def _reject(mutant: Mutant) -> Outcome:
    return search(*(spaces(bounds, mutant) for bounds in (FEW, TWO, MIXED)))


def refuted(mutant: Mutant) -> str | None:
    """Return the explorer's finding, with the shortest stream."""
    return refute(spaces(FEW, mutant))


def scope(explorations: Mapping[Bounds, Counts]) -> str:
    """Return the scope of explorations, as text."""
    said: list[str] = []
    for bounds in explorations:
        begun = f"up to {bounds.windows} open windows each, up to {bounds.begin} begun by one record"
        queries = f"{bounds.deterministic} deterministic queries, {bounds.looking_back} that look back"
        said.append(f"{queries}, {begun}, up to {bounds.slices} slices kept")
    return f"{'; '.join(said)}; every discretisation function, streams of any length, every monoid"


def _store(mutant: Mutant | None) -> Any:
    return (cutty if mutant is None else mutant.rewrite(cutty)).SliceStore


STORE: Final = runs_of_class(made=_store, runs=store_runs.RUNS).theorem()
PROVED: Final = runs_of_class(
    made=partial(class_of, CUTTY),
    runs=cutty_runs.RUNS,
    run_with={"cut": ("insert",), "aggregate": ("evaluate",)},
).theorem()

PLACE: Final = "Cutty: A Hybrid Approach"
SOURCE: Final = cite(STREAM_WINDOWS, place=PLACE)


claim: Final = partial(Claim, algorithm="Cutty", kind="exhaustive", engine="enumeration", source=SOURCE)
"""A claim about all cases up to a bound."""

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        id="cutty/discretisation",
        statement="Count, time, session and punctuated windows are deterministic: a function that is told the "
        "stream's items one by one says where they begin and end, and stands for just the windows of the definition; "
        "also after many records, with long ranges, slides and gaps, and at times far off. A query that looks back "
        "finds the newest records after many.",
        source=cite(
            STREAM_WINDOWS,
            "Definition 1",
            place="Deterministic Windows; readings CUTTY-1 and CUTTY-2",
            compared="an instance: four kinds of windows as discretisation functions",
        ),
        scope="ranges, slides and gaps up to 3 in any relation; every stream of up to 4 records, heartbeats and "
        f"punctuations; after {', '.join(map(str, FAR))} records, ranges and slides up to 3; as many times a range, "
        "slide and gap up to 2, about as many before 0 and after: every stream of up to 2 items",
        code=code_of(cutty, "CountMarks", "TimeMarks", "SessionMarks", "PunctuationMarks", "NewestLooks"),
        check=partial(marks_are_windows, 4),
        not_covered="windows of other kinds: a user's own; all numbers: those far off are samples",
    ),
    claim(
        id="cutty/aggregate",
        statement="Discretised and aggregated by Cutty, a stream gives f_a of each of its windows, one answer a "
        "window, in the order in which they end; f_a being lift, combine and lower, whether combine commutes or not. "
        "So it does for the windows of range 5 and slide 2 of the figures.",
        source=cite(
            STREAM_WINDOWS,
            "Definition 2",
            "Figure 1",
            "Figure 2",
            "Figure 3",
            place="reading SLICE-2",
            compared="an instance: two f_a, each given a window, and four kinds of windows",
        ),
        scope="f_a: the windows' records in order, and their mean; ranges, slides and gaps up to 3 in any relation; "
        "every stream of up to 3 records, heartbeats and punctuations; and the stream of the figures, 1 to 9",
        code=code_of(cutty, "Cutty, CountMarks, TimeMarks, SessionMarks, PunctuationMarks"),
        check=partial(answers_are_aggregates, 3),
        not_covered="longer streams, other f_a, other kinds of windows",
    ),
    claim(
        id="cutty/explored",
        statement="One query of any deterministic windows, several that share slices, and one beside a query that "
        "looks back, for which every record is a slice: each window's answer is the ordered product of its records, "
        "given when the window ends; slices begin where windows begin, and nowhere else; at most 1 combine call for a "
        "record in a slice, log2 n for a slice (n - 1 more at a rebuilding), log2 n + 1 an answer.",
        engine="explorer",
        scope=scope(EXPLORED),
        code=code_of(cutty, "Cutty", "SliceStore"),
        check=partial(explored, EXPLORED),
        controls=(*WRONG, *UNSEEN),
        reject=_reject,
        not_covered="more open windows and slices",
        deep=Deep(scope(EXPLORED_DEEP), partial(explored, EXPLORED_DEEP)),
    ),
    claim(
        id="cutty/fall-back",
        statement="Windows whose beginning is known only when they end are served by pre-aggregation of single "
        "records, beside deterministic ones in one store.",
        source=cite(STREAM_WINDOWS, place=f"{PLACE}: fall-back"),
        scope="the newest 1, 2, 3 records at each punctuation, and sessions; every stream of up to 4 items",
        code=code_of(cutty, "Cutty", "NewestLooks"),
        check=partial(falls_back, 4),
        not_covered="longer streams, other windows of this kind",
    ),
    claim(
        id="cutty/fewest",
        statement="With one query Cutty keeps just one slice for each record with which open windows begin.",
        source=cite(STREAM_WINDOWS, place=f"{PLACE}: optimal slicing, bounded by the active slices"),
        scope="every stream of up to 6 records that begin a window, end one, do both or neither",
        code=code_of(cutty, "Cutty"),
        check=fewest,
        not_covered="that no fewer will do: argued, as over distinct letters each beginning needs a slice to begin "
        "there; many queries: reading CUTTY-4",
    ),
    STORE.claim(
        id="cutty/store",
        statement="The store has every slice kept in a place of its FlatFAT, and nothing behind them: what is added is "
        "the next one, a suffix is the product of the slices from there on, and just those before a number are "
        "forgotten. Set anew, it has at least twice as many places as slices, and 2 or less than 4 times as many. A "
        "slice that is added takes log2 n combine calls, and n - 1 more where the tree is set anew, to n places; a "
        "suffix at most log2 n.",
        source=SOURCE,
        algorithm="Cutty",
        scope="any slices, any number of places; every monoid",
        code=code_of(cutty.SliceStore),
        not_covered="what FlatFAT does and costs, by flat-fat/proved-equation-4.1, flat-fat/proved-answer and the "
        "claims about its calls",
    ),
    PROVED.claim(
        id="cutty/proved",
        statement="Slices begin with the records with which windows begin, and with no others; each is the product of "
        "its records; each open window is noted with the slice that it begins with, which is kept, and the first that "
        "is kept is one of these; where none is open, nothing is kept. Each window that ends is answered once, a "
        "query's oldest first, by the ordered product of its records: one that was over before a record without it, "
        "one that ends with a record with it. A record takes at most 1 combine call besides what the store takes for a "
        "slice, an answer 1 besides the store's suffix.",
        source=SOURCE,
        algorithm="Cutty",
        scope="any number of queries of any deterministic windows, any number of them open; streams of any length; "
        "every monoid",
        code=code_of(cutty.Cutty, "insert", "tell", "cut", "evaluate", "aggregate", "release"),
        not_covered="more queries than the hundred that __init__ is run with; queries that look back, which "
        "cutty/explored explores: what is missing is that a record and its slice then have one number; discretise: "
        "that it hands on what each function says, and refuses what check_marks refuses, which cutty/explored "
        "explores; the store, by cutty/store",
    ),
)
