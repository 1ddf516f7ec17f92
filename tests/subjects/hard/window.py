"""A program that speaks the line protocol, with optional misbehaviour: `window.py [BEHAVIOUR [FROM]]`, or `window.py
"greets as" GREETING`.

Without a behaviour it is right, if slow: its answers come from a plain list.  It misbehaves once its window holds FROM
elements (by default 2), and announces this on standard error.
"""

import json
import os
import signal
import subprocess
import sys
import time
from typing import NoReturn

BEHAVIOUR = sys.argv[1] if len(sys.argv) > 1 else "right"
FROM = int(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2].isdecimal() else 2

GREETINGS = {
    "own monoid": "swagproof 1 window=fifo monoids=Longest",
    "out of order": "swagproof 1 window=out-of-order monoids=sum",
    "dumps": "swagproof 1 window=fifo monoids=sum,concatenation calls state=recalculate",
}
USUAL = sys.argv[2] if BEHAVIOUR == "greets as" else "swagproof 1 window=fifo monoids=sum,concatenation calls"
GREETING = GREETINGS.get(BEHAVIOUR, USUAL)


def say(line: str, end: str = "\n") -> None:
    if BEHAVIOUR == "answers on stderr":
        print(line, file=sys.stderr, flush=True)
    else:
        print(line, end=end, flush=BEHAVIOUR != "never flushes")


def hang() -> NoReturn:
    while True:
        time.sleep(3600)


def misbehave_at_insert() -> None:
    print("about to misbehave at insert", file=sys.stderr, flush=True)
    match BEHAVIOUR:
        case "ignores SIGTERM":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            print(f"process {os.getpid()}", file=sys.stderr, flush=True)
            hang()
        case "leaves a child" | "leaves a daemon":
            away = BEHAVIOUR == "leaves a daemon"
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=away)
            print(f"child {child.pid}", file=sys.stderr, flush=True)
            hang()
        case "floods stderr":
            while True:
                sys.stderr.write("noise\n" * 1000)
        case "crashes":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "raises":
            raise MemoryError("no room for another element")
        case "exits within a line":
            say("5", end="")
            sys.exit(0)
        case "prints more":
            say("debug: insert")
        case "is late":
            time.sleep(1.5)
        case "takes its time":
            time.sleep(0.5)
        case _:
            pass


def answer(right: str) -> None:
    """Print the right answer, or the output of a bad behaviour instead."""
    match BEHAVIOUR:
        case "answers garbage":
            say("banana")
        case "answers twice":
            say(right)
            say(right)
        case "does not answer":
            pass
        case "answers one on stderr":
            print(right, file=sys.stderr, flush=True)
        case "no end of line":
            say(right, end="")
        case "fills a buffer":
            say(right[:1], end="")
            time.sleep(0.9)
            say(right[1:])
        case "not text":
            sys.stdout.flush()
            os.write(1, b"\xff\xfe\n")
        case "noisy":
            print("answers", right, file=sys.stderr)
            say(right)
        case "plus signs":
            say(f"{int(right):+}")
        case _:
            say(right)


def product(monoid: str, elements: list[str]) -> str:
    if BEHAVIOUR == "loses the second":
        elements = elements[:1] + elements[2:]
    if monoid == "sum":
        return str(sum(map(int, elements)))
    if monoid == "Longest":  # elements are JSON
        return json.dumps(max(map(json.loads, elements), key=len, default=""))
    return "".join(elements)


def main() -> None:
    if BEHAVIOUR == "hangs at once":
        hang()
    if BEHAVIOUR == "crashes at once":
        raise ImportError("libwindow.so.2: no such file")
    elements: list[str] = []
    times: list[int] = []
    monoid = ""
    calls = greeted = 0
    for text in sys.stdin:
        name, _, rest = text.rstrip("\n").partition(" ")
        if name == "swagproof":
            greeted += 1
            greeting = GREETING.replace("sum,", "max,") if BEHAVIOUR == "greets anew" and greeted >= FROM else GREETING
            if greeted == 1 or BEHAVIOUR != "greets once":
                say("> " * (BEHAVIOUR == "prompts") + greeting, end="\n" * (BEHAVIOUR != "no end of greeting"))
        elif name == "reset":
            monoid = rest
            if BEHAVIOUR != "ignores reset":
                elements.clear()
                times.clear()
        elif name == "insert" and BEHAVIOUR == "out of order":
            time_, _, rest = rest.partition(" ")
            if int(time_) in times:
                elements[times.index(int(time_))] = product(monoid, [elements[times.index(int(time_))], rest])
            else:
                times.append(int(time_))
                elements.append(rest)
        elif name == "insert":
            elements.append(rest)
            if len(elements) >= FROM:
                misbehave_at_insert()
        elif name == "evict" and rest:
            if int(rest) in times:
                del elements[times.index(int(rest))]
                times.remove(int(rest))
        elif name == "evict":
            del elements[0]
        elif name == "query":
            calls += len(elements)
            (answer if len(elements) >= FROM else say)(product(monoid, elements))
        elif name == "calls":
            say(str(-calls if BEHAVIOUR == "counts down" else calls))
            if BEHAVIOUR == "counts twice":
                say("0")
            calls = 0


main()
