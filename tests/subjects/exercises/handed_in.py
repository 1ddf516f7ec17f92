"""Students' solutions of the lectures' exercises: unusual but right, wrong but plausible, empty, cheating.

They are written in the students' style, without types.
"""

# pyright: basic, reportArgumentType=false, reportAssignmentType=false, reportOptionalSubscript=false

from collections import deque
from functools import reduce


class Inherits(deque):
    """A deque that recomputes each answer."""

    def __init__(self, monoid):
        super().__init__()
        self.monoid = monoid

    insert = deque.append
    evict = deque.popleft

    def query(self):
        return reduce(self.monoid.combine, self) if self else self.monoid.identity


class SwapsWhenLong(Inherits):
    """Wrong: from six elements on it swaps the operands."""

    def query(self):
        return Inherits.query(self) if len(self) < 6 else reduce(lambda a, b: self.monoid.combine(b, a), self)


class Nothing:
    """Empty methods."""

    def __init__(self, monoid):
        pass

    def insert(self, *arguments):
        pass

    evict = query = register = lookup = insert


class Agrees(Nothing):
    """Its answer equals everything."""

    class Answer:
        def __eq__(self, other):
            return True

        __hash__ = None

    def query(self, *arguments):
        return self.Answer()

    lookup = query


class Swallows(Inherits):
    """It knows the answers to short windows, and catches all exceptions."""

    def evict(self):
        try:
            self.popleft()
        except Exception:
            pass

    def query(self):
        try:
            return self[0] if len(self) == 1 else self.monoid.combine(self[0], self[-1])
        except Exception:
            return self.monoid.identity


class Cells:
    """Two-Stacks, of linked cells (value, product, rest)."""

    def __init__(self, monoid):
        self.monoid, self.front, self.back = monoid, None, None

    def insert(self, v):
        self.back = (v, v if self.back is None else self.monoid.combine(self.back[1], v), self.back)

    def evict(self):
        if self.front is None:
            while self.back is not None:
                v, _, self.back = self.back
                self.front = (v, v if self.front is None else self.monoid.combine(v, self.front[1]), self.front)
        self.front = self.front[2]

    def query(self):
        known = [stack[1] for stack in (self.front, self.back) if stack is not None]
        return reduce(self.monoid.combine, known) if known else self.monoid.identity


class Forgets:
    """Wrong: a sorted list with a cached product, which an evict of the newest does not clear."""

    def __init__(self, monoid):
        self.monoid, self.entries, self.product = monoid, {}, monoid.identity

    def insert(self, t, v):
        is_newest = not self.entries or t > max(self.entries)
        self.entries[t] = self.monoid.combine(self.entries[t], v) if t in self.entries else v
        self.product = self.monoid.combine(self.product, v) if is_newest else self._recompute()

    def evict(self, t):
        if self.entries.pop(t, None) is not None and (not self.entries or t < max(self.entries)):
            self.product = self._recompute()

    def _recompute(self):
        return reduce(self.monoid.combine, (self.entries[t] for t in sorted(self.entries)), self.monoid.identity)

    def query(self):
        return self.product


class Recomputes(Forgets):
    """The same list, whose product is recomputed."""

    def evict(self, t):
        self.entries.pop(t, None)
        self.product = self._recompute()


class NewFirst(Recomputes):
    """Wrong: at a present time the new value is the left operand."""

    def insert(self, t, v):
        self.entries[t] = self.monoid.combine(v, self.entries[t]) if t in self.entries else v
        self.product = self._recompute()


class Newest:
    """One list for windows of all sizes, combined again for each answer."""

    def __init__(self, monoid):
        self.monoid, self.values = monoid, deque(maxlen=0)

    def register(self, size):
        self.values = deque(self.values, maxlen=max(size, self.values.maxlen))

    def insert(self, v):
        self.values.append(v)

    def lookup(self, size):
        return reduce(self.monoid.combine, [*self.values][-size:], self.monoid.identity)
