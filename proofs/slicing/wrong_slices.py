"""Wrong variants of slices, panes and pairs, which the proofs and the explorer must reject."""

from typing import Final

from swagproof.proofs.ledger.variants import WrongVariants, wrong
from swagproof.reference.catalogue import PAIRS, PANES, STARTS

WRONG_PANES: Final = WrongVariants(PANES)
WRONG_PANES.read(
    """
    panes as long as the slide
        pane: gcd(range, slide) -> slide
    the edge after t
        pane_edge: t // length * length -> -(-t // length) * length
    edges one late
        pane_edge: t // length * length -> (t - 1) // length * length + 1
    panes for the first query alone
        Panes.__init__: gcd(*(pane(*query) for query in self.queries)) -> pane(*self.queries[0])
    """
)
PANE_EDGES_DISORDERED = wrong(
    "the time after an edge is an edge of its own",
    ("pane_edge", "t // length * length", "t if t % length == 1 else t // length * length"),
)
PANE_NUMBERS_HALVED = wrong("two panes have one number", ("pane_number", "t // length", "t // length // 2"))
PANE_NUMBERS_BY_TWO = wrong("numbers leave gaps", ("pane_number", "t // length", "2 * (t // length)"))
PANE_ONE_MORE = wrong("one slice too many is counted", ("panes_per", "span // length", "span // length + 1"))

WRONG_PAIRS: Final = WrongVariants(PAIRS)
WRONG_PAIRS.read(
    r"""
    p1 first
        pair_edge: if t - begin < p2(range, slide) -> if t - begin < p1(range, slide)
        pair_edge: return begin + p2(range, slide) -> return begin + p1(range, slide)
    p2 = slide mod range
        p2: range % slide -> slide % range
    no edge where a window begins
        pair_edge:         return begin\n ->         return begin - slide + p2(range, slide)\n
    p2 counts its end in
        pair_edge: t - begin < p2 -> t - begin <= p2
    """
)
P1_OF_LONG_SLIDES = wrong(
    "the slices of a long slide are of one length",
    ("p1", "return slide - p2(range, slide)", "return slide - p2(range, slide) if slide <= 20 else p2(range, slide)"),
)
NUMBERS_AS_TWO = wrong(
    "two numbers a slide where there is one slice", ("pair_number", "if p2(range, slide) == 0", "if False")
)
TWO_ALWAYS = wrong("two slices a slide, always", ("pairs_per_slide", "1 if p2(range, slide) == 0 else 2", "2"))
WINDOW_FORGETS_P2 = wrong("the window's last slice is not counted", ("pairs_per_window", "+ 1", "+ 0"))
EMPTY_SLICES = wrong(
    "a slice of length 0 where the slide divides the range", ("alternating", "if p2(range, slide) != 0:", "if True:")
)
P1_FIRST_SEQUENCE = wrong(
    "p1, p2, p1, ...",
    ("alternating", "            yield p2(range, slide)", "            yield p1(range, slide)"),
    ("alternating", "\n        yield p1(range, slide)", "\n        yield p2(range, slide) or slide"),
)
SHARED_WITHOUT_P2 = wrong(
    "shared slices end where windows begin alone", ("shared_slices", "(0, p2(range_, slide))", "(0,)")
)
END_LATE = wrong("a window ends one late", ("window_end", "k * slide + range", "k * slide + range + 1"))
WRONG_STARTS: Final = WrongVariants(STARTS)
WRONG_STARTS.read(
    """
    a window begins after its begin
        last_begun: t // slide -> (t - 1) // slide
    a window is over one late
        last_over: (t - range) // slide -> (t - range - 1) // slide
    insert swaps the operands
        Sliced.insert: combine(newest.partial, v) -> combine(v, newest.partial)
    a slice keeps its newest record alone
        Sliced.insert: self.monoid.combine(newest.partial, v) -> v
    windows are put together backwards
        Sliced.assemble: combine(product, partial) -> combine(partial, product)
    a window lacks its first slice
        Sliced.assemble: begin <= held.begin -> begin < held.begin
    a window has every slice
        Sliced.assemble: if begin <= held.begin -> if True
    one combine call too many
        Sliced.assemble: return product -> return self.monoid.combine(product, self.monoid.identity)
    slices of open windows are forgotten
        Sliced.release: + 1, query.slide) -> + 2, query.slide)
    slices are kept for ever
        Sliced.release: while self.slices and -> while False and
    records between windows are kept
        Sliced.insert: if not any( -> if False and not any(
    """
)
COVERED_ALWAYS = wrong("a time between two windows is in one", ("is_covered", "<", "<="))
STARTS_ROUND_DOWN = wrong(
    "the last slice of a window is not counted", ("starts_per_window", "-(-range // slide)", "range // slide")
)

UNSEEN: Final = (
    wrong(
        "the times of all records are kept",
        ("Sliced.advance", "self.clock = t", "self.clock = t; self.times = (*getattr(self, 'times', ()), t)"),
    ),
    wrong(
        "records are counted, and the hundredth is left out",
        (
            "Sliced.insert",
            "    answers = self.advance(t)",
            "    answers = self.advance(t); self.count = (getattr(self, 'count', 0) + 1) % 100\n"
            "        if self.count == 99: return answers",
        ),
    ),
    wrong(
        "slices late in time are kept for ever",
        ("Sliced.release", "while self.slices and", "while self.slices and t < 2**31 and"),
    ),
    wrong(
        "a falsy partial is replaced by the next value",
        (
            "Sliced.insert",
            "self.monoid.combine(newest.partial, v)",
            "self.monoid.combine(newest.partial, v) if newest.partial else v",
        ),
    ),
)
"""What only an exploration of all that is kept, from anywhere, over values that answer nothing can see."""
