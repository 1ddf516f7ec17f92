"""Wrong variants of slices, panes and pairs, which the proofs and the explorer must reject."""

from typing import Final

from swagproof.proofs.ledger.variants import WrongVariants, wrong
from swagproof.reference.catalogue import PAIRS, PANES, STARTS

WRONG_PANES: Final = WrongVariants(PANES)
WRONG_PANES.read(
    """
    panes as long as the slide (hidden: edges where windows begin are enough for right answers)
        pane: gcd(range, slide) -> slide
    the edge after t
        pane_edge: t // length * length -> -(-t // length) * length
    edges one late
        pane_edge: t // length * length -> (t - 1) // length * length + 1
    panes of one time unit (hidden: only the number of slices changes)
        Panes.__init__: gcd(*(pane(*query) for query in self.queries)) -> 1
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
    p1 first (hidden: edges where windows begin are enough for right answers)
        pair_edge: if t - begin < p2(range, slide) -> if t - begin < p1(range, slide)
        pair_edge: return begin + p2(range, slide) -> return begin + p1(range, slide)
    p2 = slide mod range (hidden: edges where windows begin are enough for right answers)
        p2: range % slide -> slide % range
    no edge where a window begins
        pair_edge:         return begin\n ->         return begin - slide + p2(range, slide)\n
    p2 counts its end in (hidden: edges where windows begin are enough for right answers)
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
    one combine call too many (hidden: only the number of combine calls changes)
        Sliced.assemble: return product -> return self.monoid.combine(product, self.monoid.identity)
    slices of open windows are forgotten
        Sliced.release: + 1, query.slide) -> + 2, query.slide)
    slices are kept for ever (hidden: only the space changes)
        Sliced.release: while self.slices and -> while False and
    records between windows are kept (hidden: only the space changes)
        Sliced.insert: if not any( -> if False and not any(
    """
)
WRONG_STARTS.read(
    r"""
    edges lie where the first query wants them
        Sliced.edge: max(self.edge_of(query, t) for query in self.queries) -> self.edge_of(self.queries[0], t)
    the earliest of the queries' edges counts
        Sliced.edge: max( -> min(
    range and slide are taken for each other
        Sliced.edge_of: query.slide -> query.range
    a record joins a slice before its own
        Sliced.insert: self.slices[-1].begin == begin -> self.slices[-1].begin <= begin
    a slice begins with its first record (hidden: only the number of slices changes)
        Sliced.insert: begin = self.edge(t) -> begin = t
    the last window that is over is not answered
        Sliced.advance: range(first, last + 1) -> range(first, last)
    the first window that is over is not answered
        Sliced.advance: last_over(self.clock, range_, slide) + 1 -> last_over(self.clock, range_, slide) + 2
    answers come by their queries
        Sliced.advance: (answer.end, answer.query) -> (answer.query, answer.end)
    a record as late as the last is refused
        Sliced.advance: t < self.clock -> t <= self.clock
    the clock stands still
        Sliced.advance: self.clock = t -> self.clock = t if self.clock is None else self.clock
    a record costs one combine call too many (hidden: only the number of combine calls changes)
        Sliced.insert: combine(newest.partial, v)
         -> combine(self.monoid.combine(newest.partial, self.monoid.identity), v)
    edges lie behind the time
        Sliced.edge_of: start_edge(t, query.slide) -> start_edge(t, query.slide) + query.slide
    slices of one time unit (hidden: only the number of slices changes)
        Sliced.edge_of: start_edge(t, query.slide) -> t
    the newest record is kept, too (hidden: only the space changes)
        Sliced.insert: self.slices.append(Slice(begin, v)) -> self.slices.append(Slice(begin, v)); self.newest = v
    time that comes costs a combine call (hidden: only the number of combine calls changes)
        Sliced.advance: self.clock = t
         -> self.monoid.combine(self.monoid.identity, self.monoid.identity); self.clock = t
    a slice that goes costs a combine call (hidden: only the number of combine calls changes)
        Sliced.release: self.slices.popleft()
         -> self.slices.popleft(); self.monoid.combine(self.monoid.identity, self.monoid.identity)
    a window is put together of what is before it
        Sliced.advance: self.assemble(begin) -> self.assemble(begin - 1)
    slices go when one query needs them no more
        Sliced.release: min( -> max(
    """
)
WRONG_PAIRS.read(
    """
    pairs of one time unit (hidden: only the number of slices changes)
        Pairs.edge_of: pair_edge(t, *query) -> t
    pairs take range and slide for each other
        Pairs.edge_of: *query -> query.slide, query.range
    """
)
WRONG_PAIRS.add(
    "each slice is kept ten times",
    (
        "Pairs.edge_of",
        "return pair_edge(t, *query)",
        "return pair_edge(t, *query)\n\n    def insert(self, t, v):\n        answers = super().insert(t, v)\n"
        "        self.slices.extend([*self.slices][-1:] * 9)\n        return answers",
    ),
)
WRONG_PANES.read(
    """
    each query has panes of its own slide (hidden: edges where windows begin are enough for right answers)
        Panes.edge_of: self.length -> query.slide
    """
)
FEW_QUERIES = wrong("thirty queries are kept", ("Sliced.__init__", "query in queries)", "query in queries[:30])"))
SHORT_RANGES = wrong("a range is at most 5000", ("require_periodic", "Periodic(range_,", "Periodic(min(range_, 5000),"))
FEW_SLICES = wrong("a stream keeps 900 slices", ("Sliced.__init__", "= deque()", "= deque((), 900)"))
LATE_TAKEN = wrong("a record that is late is taken", ("Sliced.advance", "t < self.clock", "False"))
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
"""Mutants that only an exploration of the whole state, from any state, over opaque values can reject."""
