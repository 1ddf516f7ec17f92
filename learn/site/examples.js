// What stands in the fields for code until somebody writes something else.

// By the kind of window; each is wrong, for there to be something to see.
export const EXAMPLES = {
  fifo: `class Mine:
    """Two stacks that forget the order when they turn."""

    def __init__(self, monoid):
        self.monoid, self.front, self.back = monoid, [], []

    def insert(self, v):
        self.back.append(v)

    def evict(self):
        if not self.front:
            self.front, self.back = self.back[::-1], []
        self.front.pop()

    def query(self):
        result = self.monoid.identity
        for v in self.front + self.back:
            result = self.monoid.combine(result, v)
        return result
`,
  "out-of-order": `class Mine:
    """A list by arrival, which is not the order of time."""

    def __init__(self, monoid):
        self.monoid, self.entries = monoid, {}

    def insert(self, t, v):
        old = self.entries.get(t, self.monoid.identity)
        self.entries[t] = self.monoid.combine(old, v)

    def evict(self, t):
        self.entries.pop(t, None)

    def query(self):
        result = self.monoid.identity
        for v in self.entries.values():
            result = self.monoid.combine(result, v)
        return result
`,
};

export const OWN_MONOID = `class Longest:
    """The longest text; of equal ones the first."""

    identity = ""
    samples = ("to", "be", "or", "not", "that", "is")

    def combine(self, a, b):
        return a if len(a) >= len(b) else b
`;
