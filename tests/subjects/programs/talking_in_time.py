"""A program that sums over a span of time; with `late` each entry stays a unit too long.  For the tests.

python talking_in_time.py [late] [advance]
"""

import sys


def main(words: list[str]) -> None:
    """Run the protocol's dialogue."""
    entries: list[tuple[int, int]] = []
    span = 0
    for line in sys.stdin:
        name, *rest = line.split()
        if name == "swagproof":
            print("swagproof 1 window=time monoids=sum", *(["advance"] if "advance" in words else []))
        elif name == "reset":
            entries, span = [], 0
        elif name == "span":
            span = int(rest[0])
        elif name in ("insert", "advance"):
            now = int(rest[0])
            entries += [(now, int(rest[1]))] if name == "insert" else []
            entries = [(t, value) for t, value in entries if t + ("late" in words) > now - span]
        elif name == "query":
            print(sum(value for _, value in entries))
        elif name == "flush":
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
