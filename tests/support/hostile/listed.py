"""Hostile subjects: their actions and the required outcomes.

A subject is a right window with a few extra lines in one place: when its module is imported, when it is built, or in an
operation (`insert` at the second element, so that the smallest trace is known).  `ACTS` are the lines, for Python
subjects and, if they make sense there, for programs and for test classes in a pytest module.
"""

from dataclasses import dataclass
from typing import Final

WINDOW: Final = """
import os, signal, sys, time
{imported}

class Window:
    monoids = ("{monoid}",)

    def __init__(self, monoid):
        self.monoid, self.values = monoid, []
        {built}

    def insert(self, v):
        self.values.append(v)
        if len(self.values) == 2:
            {insert}
            pass

    def evict(self):
        del self.values[0]
        {evict}

    def query(self):
        answer = self.monoid.identity
        for v in self.values:
            answer = self.monoid.combine(answer, v)
        if len(self.values) == 2:
            {query}
            pass
        return answer
"""

PROGRAM: Final = """
import os, signal, sys, time
{imported}
window, came = [], 0
for line in sys.stdin:
    word, _, rest = line.rstrip("\\n").partition(" ")
    if word == "swagproof":
        print("swagproof 1 window=fifo monoids=concatenation")
    elif word == "reset":
        window = []
    elif word == "insert":
        window.append(rest)
        if len(window) == 2:
            {insert}
            pass
    elif word == "evict":
        del window[0]
    elif word == "query":
        if len(window) == 2:
            {query}
            pass
        print("".join(window))
    elif word == "flush":
        sys.stdout.flush()
"""


@dataclass(frozen=True)
class Case:
    """A hostile subject."""

    name: str
    outcome: str
    """The outcome: `conforms`, `violated` or `error`."""
    lines: str
    """The code of its method."""
    at: str = "insert"
    kind: str = "python"
    monoid: str = "concatenation"
    says: str = ""
    """A text that the verdict's sentence, or the error, contains."""
    operations: str | None = None
    """The smallest trace, if it is reported."""
    timeout: float = 0.4
    effort: int = 3000
    """The number of operations tried."""

    @property
    def source(self) -> str:
        """Return the text of its module."""
        template = PROGRAM if self.kind == "program" else WINDOW
        places: dict[str, str] = dict.fromkeys(("imported", "built", "insert", "evict", "query"), "")
        indent = template.split("{" + self.at + "}")[0].rpartition("\n")[2]
        places[self.at] = self.lines.strip("\n").replace("\n", "\n" + indent)
        return template.format(**places, monoid=self.monoid)


TWO: Final = 'insert "a", insert "b"'
ASKED: Final = 'insert "a", insert "b", query'


def _ends(name: str, lines: str, says: str, operations: str | None = TWO, **more: str) -> Case:
    return Case(name, "broken", lines, says=says, operations=operations, **more)  # type: ignore[arg-type]  # texts only


def _refused(name: str, lines: str, says: str, **more: str) -> Case:
    return Case(name, "error", lines, says=says, **more)  # type: ignore[arg-type]  # texts only


def _raises(name: str, lines: str, says: str, **more: str) -> Case:
    return Case(name, "violated", lines, says=f"insert raised {says}", operations=TWO, **more)  # type: ignore[arg-type]  # texts only


def _hangs(name: str, lines: str, **more: str) -> Case:
    return Case(name, "broken", lines, says="did not return within the time limit", **more)  # type: ignore[arg-type]  # texts only


def _answers(
    name: str, answer: str, says: str = "query answers", operations: str | None = ASKED, monoid: str = "concatenation"
) -> Case:
    return Case(name, "violated", answer, "query", says=says, operations=operations, monoid=monoid)


def _harmless(name: str, lines: str, **more: str) -> Case:
    return Case(name, "conforms", lines, **more)  # type: ignore[arg-type]  # texts only


EXITS: Final = "exit with code 0"

PYTHON: Final = (
    # It ends itself.
    _ends("os._exit(0)", "os._exit(0)", EXITS),
    _ends("os._exit(1)", "os._exit(1)", "exit with code 1"),
    _ends("os._exit(0) in query", "os._exit(0)", EXITS, ASKED, at="query"),
    _ends("os._exit(0) in evict", "os._exit(0)", EXITS, 'insert "a", evict', at="evict"),
    _ends("os._exit(0) in the constructor", "os._exit(0)", EXITS, "", at="built"),
    _ends("another program in its place", 'os.execv("/bin/true", ["true"])', EXITS),
    _ends("os.abort()", "os.abort()", "SIGABRT"),
    _ends("segmentation fault", "import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    _ends(
        "stack overflow in C",
        "deep = []\nfor _ in range(10**5): deep = [deep]\nsys.setrecursionlimit(10**9)\nimport json; json.dumps(deep)",
        "SIGSEGV",
    ),
    _ends("SIGKILL to itself", "os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
    _ends("SIGTERM to itself", "os.kill(os.getpid(), signal.SIGTERM)", "SIGTERM"),
    _ends("SIGALRM to itself", "os.kill(os.getpid(), signal.SIGALRM); time.sleep(1)", "SIGALRM"),
    _ends("SIGKILL to its group", "os.killpg(0, signal.SIGKILL)", "SIGKILL"),
    _ends("SIGKILL to its parent", "os.kill(os.getppid(), signal.SIGKILL); time.sleep(9)", "process that watches it"),
    _ends("no processor time left",
          "import resource; resource.setrlimit(resource.RLIMIT_CPU, (0, 1))\nwhile True: pass", "SIG"),
    _ends("all descriptors closed", "os.closerange(0, 1000)", ""),
    _ends("an answer's __repr__ that exits", "class A:\n    def __repr__(self): os._exit(0)\nreturn A()", EXITS, ASKED,
          at="query"),
    _ends("an exception's __str__ that exits", "class E(Exception):\n    def __str__(self): os._exit(0)\nraise E",
          EXITS),
    _ends("a window that kills when it is dropped",
          "Window.__del__ = lambda self: os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL", None, at="built"),
    _ends("__del__ that exits", "class D:\n    def __del__(self): os._exit(0)\nD()", EXITS),
    _ends("a thread that exits later", "import threading; threading.Timer(0.002, os._exit, (0,)).start()", EXITS, None,
          at="built"),
    _ends("a watchdog of its own",
          "import faulthandler; faulthandler.dump_traceback_later(0.05, exit=True)\nwhile True: time.sleep(0.01)",
          "exit with code 1"),
    # It does not return.
    _hangs("a loop", "while True: pass"),
    _hangs("a loop in C", "import itertools; sum(itertools.repeat(0))"),
    _hangs("a loop in C in query", "import itertools; sum(itertools.repeat(0))", at="query"),
    _hangs("a loop in the constructor", "while True: pass", at="built"),
    _hangs("sleep", "time.sleep(3600)"),
    _hangs("signal.pause()", "while True: signal.pause()"),
    _hangs("a deadlock", "import threading; lock = threading.Lock(); lock.acquire(); lock.acquire()"),
    _hangs("a regular expression", 'import re; re.match("(a*)*b", "a" * 60)'),
    _hangs("SIGSTOP to itself", "os.kill(os.getpid(), signal.SIGSTOP)"),
    _hangs("SIGSTOP to its group", "os.killpg(0, signal.SIGSTOP)"),
    _hangs("no alarm",
           "signal.setitimer(signal.ITIMER_REAL, 0); signal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass"),
    _hangs("no signals", "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nwhile True: pass"),
    _hangs("no clock", "time.monotonic = time.time = time.process_time = lambda: 0.0\nwhile True: pass"),
    _hangs("all exceptions caught", "while True:\n    try: time.sleep(1)\n    except BaseException: pass"),
    _hangs("endless output", 'while True: print("x" * 1000)'),
    _hangs("an answer's __repr__ that never returns",
           "class A:\n    def __repr__(self):\n        while True: pass\nreturn A()", at="query"),
    # It raises what nobody expects.
    _raises("SystemExit(0)", "sys.exit(0)", "SystemExit: 0"),
    _raises("SystemExit of a text", 'sys.exit("conforms")', "SystemExit: conforms"),
    _raises("KeyboardInterrupt", "raise KeyboardInterrupt", "KeyboardInterrupt"),
    _raises("SIGINT to itself", "os.kill(os.getpid(), signal.SIGINT); time.sleep(1)", "KeyboardInterrupt"),
    _raises("GeneratorExit", "raise GeneratorExit", "GeneratorExit"),
    _raises("StopIteration", "raise StopIteration", "StopIteration"),
    _raises("MemoryError", "bytearray(1 << 46)", "MemoryError"),
    _raises("all memory", "kept = []\nwhile True: kept.append(bytes(1 << 26))", "MemoryError"),
    _raises("recursion", "self.insert.__func__(self, self.values.pop())", "RecursionError"),
    _raises("an exception's __str__ that raises",
            "class E(Exception):\n    def __str__(self): raise SystemExit\nraise E", "E"),
    _raises("an exception's __str__ that is no text", "class E(Exception):\n    def __str__(self): return 1\nraise E",
            "E"),
    _raises("an exception of ten million letters", 'raise ValueError("x" * 10**7)', "ValueError: xxx"),
    _raises("a BaseException of its own", "class Mine(BaseException): pass\nraise Mine", "Mine"),
    _refused("an InputError of the judge's", "from swagproof.oracle.trace import InputError; raise InputError('me')",
             "me"),
    _raises("standard input", "input()", "EOFError"),
    _raises("a group of exceptions", 'raise BaseExceptionGroup("g", [SystemExit(0)])', "BaseExceptionGroup"),
    # It lies.
    _answers("an answer equal to everything", "from unittest.mock import ANY; return ANY"),
    _answers("a text with an __eq__ of its own",
             "class T(str):\n    def __eq__(self, o): return True\n    __hash__ = str.__hash__\nreturn T('x')"),
    _answers("a number with an __eq__ of its own",
             "class N(int):\n    def __eq__(self, o): return True\n    __hash__ = int.__hash__\nreturn N(7)",
             operations="insert 0, insert 0, query", monoid="sum", says=""),
    _answers("a __class__ that lies",
             "class A:\n    __class__ = str\n    def __eq__(self, o): return True\nreturn A()"),
    Case(
        "a value that claims to be unchanged",
        "violated",
        "class A(str):\n    def __eq__(self, o): return True\n    def __ne__(self, o): return False\n"
        "    __hash__ = None\nif v: v[0] = A('x')",
        monoid="mutable-collect",
        says="changed a value that it had been handed",
    ),
    _answers("True for 1", "return True", monoid="count", says="", operations=None),
    _answers("no answer", "return None", says="answers null"),
    _answers("a __repr__ that raises", "class A:\n    def __repr__(self): raise SystemExit\nreturn A()"),
    _answers("a list that holds itself", "a = []; a.append(a); return a"),
    _answers("a list nested deep", "a = []\nfor _ in range(10**5): a = [a]\nreturn a"),
    _answers("half a character", 'return "\\ud800"'),
    _answers("a hundred thousand numbers", "return list(range(10**5))"),
    _answers("a million digits", "return 1 << 3_000_000", monoid="sum", says="", operations=None),
    _answers("not a number", 'return float("nan")'),
    _answers("a generator", "return (x for x in self.values)"),
    _answers("a coroutine", "async def f(): pass\nreturn f()"),
    _answers("an object with all attributes",
             "class A:\n    def __getattr__(self, n): return lambda *a: self\nreturn A()"),
    _answers(
        "the reference patched",
        "from swagproof.reference.in_order.two_stacks import TwoStacks; TwoStacks.query = lambda self: 'x'; return 'x'",
    ),
    _answers("the rule patched",
             "from swagproof.oracle.domain import Exactly; Exactly.agree = lambda *a: True; return 'x'"),
    _answers("the runner patched",
             "import swagproof.oracle.runner as r; r.run = r.run_all = lambda *a: None; return 'x'"),
    _answers(
        "objects found by the garbage collector patched",
        "import gc\n"
        "for o in gc.get_objects():\n"
        "    if type(o).__name__ == 'Domain': object.__setattr__(o, 'rule', None)\n"
        "return 'x'",
    ),
    _answers("sys.modules emptied", "sys.modules.clear(); return 'x'"),
    _answers("os._exit patched", "os._exit = lambda code: None; os.fork(); return 'x'"),
    _answers("a frame of its own",
             "import swagproof.oracle.sandbox.wire as w; w.pack = lambda n, h, a: b''; return 'x'"),
    # It acts outside its methods.
    _ends("junk in every descriptor",
          "for d in range(3, 1000):\n    try: os.write(d, b'junk' * 99)\n    except OSError: pass",
          "to the judge's channel directly", None),
    _ends(
        "an endless frame",
        "import struct\n"
        "for d in range(3, 1000):\n"
        "    try: os.write(d, struct.pack('=4sIIcQ', b'swag', 1, 1, b'q', 1 << 60))\n"
        "    except OSError: pass",
        "to the judge's channel directly",
        None,
    ),
    _ends(
        "frames that claim to be skipped",
        "import swagproof.oracle.sandbox.worker as g\n"
        "g.Worker._play = lambda *given: ({'done': len(given[-1]), 'skipped': list(range(len(given[-1])))}, ())",
        "it has no offers()",
        None,
        at="imported",
    ),
    Case("a loop from its 11th window on", "broken",
         "Window.came = getattr(Window, 'came', 0) + 1\nwhile Window.came > 10: pass", "built",
         says="did not return within 2 s; one at a time, the same operations pass"),
    # It corrupts its process, which a later trace shows: the search restarts with a process for each trace.
    Case("a class that changes itself", "violated",
         "Window.query = lambda self: 'x' if len(self.values) == 1 else ''.join(self.values)",
         operations='insert "a", query'),
    # It is odd, and right.
    _harmless("SIGTERM to its parent", "os.kill(os.getppid(), signal.SIGTERM)"),
    _harmless("SIGINT to its parent", "os.kill(os.getppid(), signal.SIGINT)"),
    _harmless("SIGSTOP to its parent", "os.kill(os.getppid(), signal.SIGSTOP)"),
    _harmless("a copy that goes on", "os.fork()"),
    _harmless("copies at every insert",
              "if os.getpid() % 1: pass\nos.fork(); self.values.append(''); del self.values[-1]"),
    _harmless("a copy that sleeps", "if os.fork() == 0: time.sleep(999)"),
    _harmless("a daemon",
              "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(999)\n    os._exit(0)"),
    _harmless(
        "a chain of copies, each of which starts the next",
        "if os.fork() == 0:\n"
        "    for _ in range(500):\n"
        "        os.setsid(); time.sleep(0.001)\n"
        "        if os.fork(): os._exit(0)\n"
        "    os._exit(0)",
    ),
    _harmless(
        "a hydra that restarts lost copies",
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    for _ in range(300):\n"
        "        if os.fork() == 0: time.sleep(99)\n"
        "        os.wait()\n"
        "    os._exit(0)",
    ),
    _harmless("its parent traced", "import ctypes; ctypes.CDLL(None).ptrace(16, os.getppid(), None, None)"),
    _harmless("a program that stays", "import subprocess; subprocess.Popen(['sleep', '999'], start_new_session=True)"),
    _harmless("a copy at import", "os.fork()", at="imported"),
    _harmless("a thread that stays", "import threading; threading.Thread(target=time.sleep, args=(999,)).start()",
              at="imported"),
    _harmless("an exit handler that never returns", "import atexit; atexit.register(time.sleep, 999)", at="imported"),
    _harmless("an exit handler that exits", "import atexit; atexit.register(os._exit, 1)", at="imported"),
    _harmless("__del__ that raises SystemExit", "class D:\n    def __del__(self): sys.exit(1)\nD()"),
    _harmless("a clock that stands still", "time.monotonic = time.time = time.process_time = lambda: 0.0",
              at="imported"),
    _harmless("SIGTERM ignored", "signal.signal(signal.SIGTERM, signal.SIG_IGN)", at="imported"),
    _harmless("output on all channels",
              'print("conforms"); os.write(1, b"x\\n"); os.write(2, b"y\\n"); sys.stderr.write("z")'),
    _harmless("a flood on standard error", "os.write(2, b'x' * 10**6)"),
    _harmless("its streams closed", "sys.stdout.close(); os.close(1); os.close(0)", at="imported"),
    _harmless("no garbage collection", "import gc; gc.disable(); gc.freeze()", at="imported"),
    _harmless("an environment emptied", "os.environ.clear(); os.chdir('/')", at="imported"),
    _harmless("a text of a subclass", "class T(str): pass\nreturn T(answer)", at="query"),
    # Its module.
    _ends("os._exit(0) at import", "os._exit(0)", EXITS, None, at="imported"),
    _ends("SIGKILL at import", "os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL", None, at="imported"),
    _ends("a segmentation fault at import", "import ctypes; ctypes.string_at(0)", "SIGSEGV", None, at="imported"),
    _refused("SystemExit at import", "sys.exit(0)", "raised SystemExit", at="imported"),
    _refused("KeyboardInterrupt at import", "raise KeyboardInterrupt", "raised KeyboardInterrupt", at="imported"),
    _refused("an error of syntax", "def (:", "line", at="imported"),
    _ends("a loop at import", "while True: pass", "importing it took longer than", None, at="imported"),
    _refused("an exception in the constructor", "1 / 0", "ZeroDivisionError", at="built"),
)  # fmt: skip


def _program(name: str, outcome: str, lines: str, says: str, at: str = "insert", effort: int = 3000) -> Case:
    return Case(name, outcome, lines, at, "program", says=says, effort=effort)


PROGRAMS: Final = (
    _program("exit 0", "broken", "os._exit(0)", EXITS),
    _program("segmentation fault", "broken", "os.kill(os.getpid(), signal.SIGSEGV)", "with signal 11 (SIGSEGV)"),
    _program("SIGKILL to itself", "broken", "os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
    _program("SIGKILL to its parent", "broken", "os.kill(os.getppid(), signal.SIGKILL); time.sleep(9)", "watches it"),
    _program("SIGTERM to its parent", "conforms", "os.kill(os.getppid(), signal.SIGTERM)", ""),
    _program("SIGSTOP to itself", "broken", "os.kill(os.getpid(), signal.SIGSTOP)", "time limit"),
    _program("a loop", "broken", "while True: pass", "time limit"),
    # two batches may time out on a busy machine: it needs a third
    _program("a loop, late", "broken", "came += 1\nwhile came > 30: pass", "2 s; one at a time", effort=12_000),
    _program(
        "a daemon",
        "conforms",
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    for d in range(3): os.close(d)\n"
        "    if os.fork() == 0: time.sleep(999)\n"
        "    os._exit(0)",
        "",
    ),
    _program("a copy that answers", "broken", "if os.fork() == 0: os.write(1, b'x\\n'); os._exit(0)\nos.wait()", ""),
    _program("standard output closed", "broken", "os.close(1); time.sleep(9)", "close its standard output"),
    _program("endless lines", "broken", "while True: print('x' * 1000)", "printed"),
    _program("a line without end", "broken", "sys.stdout.write('x' * 10**7); sys.stdout.flush(); time.sleep(9)",
             "end of line"),
    _program("no UTF-8", "broken", "os.write(1, b'\\xff\\n')", "UTF-8"),
    _program("a line too many", "broken", "print('x')", ""),
    _program("all memory", "broken", "kept = []\nwhile True: kept.append(bytes(1 << 26))", "exit with code 1"),
    _program("an exit at its start", "broken", "os._exit(0)", EXITS, at="imported"),
    _program("no greeting", "broken", "time.sleep(99)", "did not answer", at="imported"),
    _program("a wrong greeting", "broken", "print('hello')", "answers the greeting with", at="imported"),
)  # fmt: skip

PLUGIN_ACTS: Final = (
    *("os._exit(0)", "a loop in C", "SIGKILL to itself", "SIGKILL to its parent", "SIGSTOP to itself"),
    *("SystemExit(0)", "KeyboardInterrupt", "segmentation fault", "an answer equal to everything", "all memory"),
    *("the reference patched", "a copy that goes on", "a daemon", "SIGTERM to its parent", "sys.modules emptied"),
)
PLUGIN: Final = tuple(case for case in PYTHON if case.name in PLUGIN_ACTS)
"""The cases that also run as a class in a test module."""
