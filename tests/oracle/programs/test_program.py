"""Programs as subjects: the line protocol, its page, and programs that misbehave in every known way."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from support import command
from support.command import assert_refused, conform
from support.places import TESTS

from swagproof.models.operations import OPERATIONS
from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import domain
from swagproof.oracle.outcome import Tried
from swagproof.oracle.programs import protocol
from swagproof.oracle.programs.lines import Lines
from swagproof.oracle.programs.program import Program, load_program
from swagproof.oracle.programs.protocol import FORMS
from swagproof.oracle.sandbox.process import Ended, Process, Silent, Trouble
from swagproof.oracle.trace import EVICT, QUERY, InputError, Step, insert
from swagproof.oracle.window import WINDOWS
from swagproof.throughput import throughput

HARD = TESTS / "subjects" / "hard" / "window.py"
PROTOCOL = Path(protocol.__file__ or "").with_name("PROTOCOL.md")
PYTHON = [sys.executable, "-S", "-E"]


def hard(*arguments: str) -> str:
    """Return the command of a program with this misbehaviour."""
    return shlex.join([*PYTHON, str(HARD), *arguments])


def run(program: str, *options: str) -> Result:
    return conform("--exec", program, "--seed", "0", *options)


def verdict(program: str, *options: str) -> dict[str, Any]:
    return command.verdict("--exec", program, "--seed", "0", *options)


def gone(pid: int) -> bool:
    """Return whether this process ends soon."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):  # it may also end during the read
            return True
        if state in "ZX":
            return True
        time.sleep(0.05)
    return False


# Right programs


def test_a_right_program_conforms() -> None:
    data = verdict(hard(), "--effort", "30000")
    assert data["outcome"] == "conforms"
    assert data["subject"] == hard()
    assert data["window"] == "fifo"
    assert [tried["name"] for tried in data["monoids"]] == ["concatenation", "sum"]
    assert data["every_word"] >= 3


@pytest.mark.parametrize("behaviour", ["noisy", "plus signs"])
def test_noise_on_standard_error_and_other_ways_of_writing_numbers_are_right(behaviour: str) -> None:
    assert verdict(hard(behaviour), "--effort", "20000", "--monoid", "sum")["outcome"] == "conforms"


@pytest.mark.parametrize("behaviour", ["takes its time", "fills a buffer"])
def test_a_program_may_take_its_time_for_each_operation(behaviour: str) -> None:
    """A buffer that is flushed when full, before `flush` asks for it, ends within a line."""
    trace = "insert 11, insert 11, insert 11, query"
    data = verdict(hard(behaviour), "--timeout", "5", "--monoid", "sum", "--trace", trace)
    assert data["outcome"] == "conforms"
    assert data["tried"]["operations"] == 4


def test_operations_too_many_for_a_pipe_do_not_block() -> None:
    over, program = domain("concatenation"), Program([*PYTHON, str(HARD)])
    steps = [insert("x" * 50)] * 300 + [QUERY, EVICT, insert("y"), QUERY] * 2_000
    tried = Tried()
    try:
        clock = Clock()
        assert program.play(over, steps, clock, tried) is None
    finally:
        program.stop()
    assert (tried.operations, tried.queries, tried.largest_window) == (len(steps), 4_000, 300)


# Programs that misbehave


# For misbehaviour of the process itself see `support/hostile/listed.py`.
BROKEN = {
    "crashes": "insert ended the program with signal 11 (SIGSEGV)",
    "raises": "insert made the program exit with code 1",
    "exits within a line": "insert made the program exit with code 0, '5' printed without an end of line",
    "prints more": "insert printed 'debug: insert', but no query was open",
    "answers garbage": "query is answered 'banana', which is no integer",
    "answers twice": "query is answered by more than one line: '0' and '0'",
    "does not answer": "query is not answered",
    "answers one on stderr": "query is answered on standard error: answers belong on standard output",
    "no end of line": "query printed '0' without an end of line",
    "not text": "query printed invalid UTF-8: b'\\xff\\xfe'",
}


@pytest.mark.parametrize("behaviour", BROKEN)
@pytest.mark.drawn(1)
def test_what_breaks_down_is_an_error_with_the_smallest_trace(behaviour: str) -> None:
    data = verdict(hard(behaviour), "--monoid", "sum", "--timeout", "2")
    asked = BROKEN[behaviour].startswith("query")
    after = "inserting 2 elements" if asked else "inserting 1 element"
    assert data["outcome"] == "broken"
    assert data["sentence"] == f"{BROKEN[behaviour]}, after {after}"
    witness = data["witness"]
    assert (witness["diagnosis"], witness["minimal"]) == ("broken", True)
    assert witness["operations"] == [["insert", 0], ["insert", 0], *([["query"]] if asked else [])]
    if not asked:
        assert "about to misbehave at insert" in witness["stderr"]
    if behaviour == "raises":
        assert witness["stderr"].endswith("MemoryError: no room for another element")


@pytest.mark.parametrize(
    "behaviour", ["ignores SIGTERM", "leaves a child", "leaves a daemon", "floods stderr", "is late"]
)
@pytest.mark.drawn(1)
def test_what_does_not_return_is_an_error_and_leaves_nothing(behaviour: str) -> None:
    data = verdict(hard(behaviour), "--monoid", "sum", "--timeout", "0.8")
    assert data["outcome"] == "broken"
    assert data["sentence"] == "insert did not return within the time limit (see --timeout), after inserting 1 element"
    assert data["witness"]["diagnosis"] == "hung"
    assert "--timeout 0.8" in data["replay"]
    stderr = data["witness"]["stderr"]
    if behaviour == "floods stderr":
        assert set(stderr.splitlines()[1:-1]) == {"noise"}
        assert len(stderr.splitlines()) <= 20
    for pid in re.findall(r"process (\d+)|child (\d+)", stderr):
        assert gone(int("".join(pid)))
    assert ("child" in stderr) is behaviour.startswith("leaves")


def test_state_that_survives_reset_is_told_from_other_mistakes() -> None:
    data = verdict(hard("ignores reset"), "--monoid", "sum")
    assert data["outcome"] == "violated"
    assert data["sentence"].endswith(
        "; but in a new process the same trace passes: reset must begin a new, empty window"
    )
    assert "--seed 0" in data["replay"]


@pytest.mark.drawn(0)
def test_a_late_crash_is_found_and_minimised() -> None:
    data = verdict(hard("crashes", "20"), "--monoid", "sum")
    assert data["sentence"] == "insert ended the program with signal 11 (SIGSEGV), after inserting 19 elements"
    assert data["witness"]["operations"] == [["insert", 0]] * 20


def test_a_program_that_does_not_start_again_is_said_to(tmp_path: Path) -> None:
    mark = shlex.quote(str(tmp_path / "mark"))
    script = f"if [ -e {mark} ]; then echo no licence left >&2; exit 7; fi; touch {mark}; exec {hard('raises')}"
    data = verdict(shlex.join(["sh", "-c", script]), "--monoid", "sum", "--effort", "50000")
    assert data["outcome"] == "broken"
    assert "started again, it does not answer 'swagproof 1': that made the program exit with code 7" in data["sentence"]


GREETING = "swagproof 1 window=fifo monoids=sum,concatenation calls"
ANEW = GREETING.replace("sum,", "max,")
BAD_GREETINGS = {
    "Welcome to my window!": "it answers the greeting with 'Welcome to my window!', not with swagproof 1 window=",
    "swagproof 2 window=fifo monoids=sum": "it speaks version '2' of the protocol, and this is version 1",
    "swagproof 1 window=session monoids=sum": "it announces window=session, none of fifo, out-of-order, shared, time",
    "swagproof 1 window=fifo monoids=sum colours": "it announces 'colours', none of window=, monoids=, ",
    "swagproof 1 window=fifo monoids=sum ranges": "it announces ranges, which a fifo window has not",
    "swagproof 1 window=fifo": "it announces no monoids: monoids=sum,max, say",
    "swagproof 1 window=fifo monoids=sum,harmony": "it announces the monoid harmony, neither in PROTOCOL.md nor given",
    "swagproof 1 window=fifo monoids=sum ranges=no": "it announces ranges=no, none of ordered, any, unbounded",
    "swagproof 1 window=fifo monoids=sum numbers=128": "it announces numbers=128, none of any, int64, int32, doubles",
    "swagproof 1 window=fifo window=shared monoids=sum": "it announces a word twice",
}
AT_ONCE = {
    "hangs at once": "it did not answer 'swagproof 1' within 2 s (see --timeout)",
    "crashes at once": "it does not answer 'swagproof 1': that made the program exit with code 1\n",
    "never flushes": "it answers only once its input is closed: flush standard output after each answer, or at flush",
    "answers on stderr": "it is answered on standard error: answers belong on standard output",
    "prompts": "it answers the greeting with '> swagproof 1 window=fifo monoids=sum,concatenation calls'",
    "no end of greeting": "without an end of line",
    "greets once": "it must answer the greeting whenever it comes, but then did not answer 'swagproof 1'",
    "greets anew": f"but then announces '{ANEW}', and announced '{GREETING}' before",
}


@pytest.mark.parametrize("greeting", BAD_GREETINGS)
@pytest.mark.drawn(4)
def test_what_greets_badly_is_refused(greeting: str) -> None:
    result = run(hard("greets as", greeting), "--effort", "30000")
    assert (result.exit_code, BAD_GREETINGS[greeting] in result.stderr) == (4, True), result.stderr


@pytest.mark.parametrize("behaviour", AT_ONCE)
@pytest.mark.drawn(4)
def test_what_does_not_greet_is_refused(behaviour: str) -> None:
    result = run(hard(behaviour), "--timeout", "2", "--effort", "30000")
    assert result.exit_code == 4
    assert result.stderr.startswith(f"Error: --exec {hard(behaviour)}: ")
    assert AT_ONCE[behaviour] in result.stderr
    if behaviour == "crashes at once":
        assert result.stderr.endswith("  stderr  ImportError: libwindow.so.2: no such file\n")


SLOWLY = f"""
import sys, time
while {{}}:
    pass
for line in sys.stdin:
    if line.startswith("swagproof"):
        print({GREETING!r})
    sys.stdout.flush()
"""
"""A program that answers each line immediately once it has begun to read."""


def test_who_has_not_begun_to_read_is_not_told_to_flush() -> None:
    slowly = SLOWLY.format("time.sleep(1.0)")  # its input is closed meanwhile, and then it answers
    with pytest.raises(InputError, match=r"did not answer 'swagproof 1' within 0\.9 s \(see --timeout\)"):
        Program([*PYTHON, "-c", slowly], timeout=0.9)


def test_who_is_kept_from_its_work_has_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    slowly = SLOWLY.format("time.process_time() < 0.6")
    monkeypatch.setattr(Process, "processor_time", 0.0)  # as on a fully loaded machine
    program = Program([*PYTHON, "-c", slowly], timeout=0.1)
    assert program.handshake.line == GREETING
    program.stop()
    monkeypatch.setattr(Process, "processor_time", 1.0)
    with pytest.raises(InputError, match="did not answer 'swagproof 1' within"):
        Program([*PYTHON, "-c", slowly], timeout=0.1)


def test_what_announces_something_else_later_is_told() -> None:
    """The third greeting ends the first batch, the fourth the second; `calls` come with the third."""
    said = f"made the program announce '{ANEW}', and it announced '{GREETING}' before"
    for third in ("3", "4"):
        result = run(hard("greets anew", third), "--monoid", "sum")
        assert (result.exit_code, said in result.stdout) == (4, True), result.output
    program = Program([*PYTHON, str(HARD), "greets anew", "3"])
    with pytest.raises(InputError, match=re.escape(said)):
        program.count_calls(domain("sum"), [insert(1), QUERY])


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("/no/such/program", "--exec /no/such/program: it cannot be started: No such file or directory"),
        (str(HARD), "it cannot be started: Permission denied"),
        ("", "--exec: give a command"),
        ("program 'argument", "No closing quotation"),
    ],
)
def test_what_cannot_be_started_is_refused(command: str, message: str) -> None:
    assert_refused(run(command), message)


def test_a_script_whose_interpreter_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    script = tmp_path / "window"
    script.write_text("#!/no/such/awk -f\n")
    script.chmod(0o755)
    assert_refused(
        run(str(script)), "cannot be started: its first line names the interpreter '/no/such/awk', which is not there"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--window", "shared"), "it announces window=fifo, not shared"),
        (("--monoid", "max"), "--monoid max: "),
        (("--monoid", f"{HARD.parents[1]}/right.py:Average"), "is not a monoid"),
        (("subject.py:Class",), "give either SUBJECT, path/to/file.py:Class, or --exec COMMAND"),
        (("--trace", "insert 1.5, query", "--monoid", "sum"), "operation 1, insert 1.5: sum takes integer, not 1.5"),
        (("--trace", "insert [1], query", "--monoid", "sum"), "operation 1, insert [1]: "),
        (
            ("--trace", 'query, insert "a\\nb", query', "--monoid", "concatenation"),
            'operation 2, insert "a\\nb": concatenation takes text without line breaks',
        ),
        (("--trace", "query"), "--trace: over which monoid? Add --monoid, one of concatenation, sum"),
    ],
)
def test_wrong_usage_is_refused(options: tuple[str, ...], message: str) -> None:
    assert_refused(run(hard(), *options), message)


@pytest.mark.drawn(0)
def test_ranges_are_asked_only_of_who_announces_them() -> None:
    program = hard("out of order")
    assert verdict(program, "--effort", "30000")["judged"] == ["insert", "evict", "query"]
    result = run(program, "--trace", "insert 1 1, range_query 1 2", "--monoid", "sum")
    assert_refused(result, "operation 2, range_query 1 2: ")
    assert_refused(result, "does not announce ranges")


def test_a_class_needs_a_window_and_has_no_dialogue() -> None:
    subject = f"{HARD.parents[1]}/right.py:ListWindow"
    for options, message in (([], "Add --window, one of fifo"), (["--window", "fifo", "--show"], "--show: ")):
        assert_refused(conform(subject, *options), message)


# Cleanup


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_the_program(number: int, code: int) -> None:
    command = [*(sys.executable, "-m", "swagproof", "conform", "--exec", hard("leaves a child"), "--timeout", "60")]
    process = subprocess.Popen([*command, "--show"], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        children: list[int] = []
        for line in process.stderr:
            if line == "> query\n":
                break
        for _ in range(100):
            children = _descendants(process.pid)
            if len(children) == 3:
                break
            time.sleep(0.05)
        process.send_signal(number)
        assert process.wait(30) == code
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()
    assert len(children) == 3  # the watchdog, the program, and its children
    assert all(map(gone, children))


def _descendants(pid: int) -> list[int]:
    """Return the children and their children."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        return []
    return [found for child in children for found in (int(child), *_descendants(int(child)))]


def test_the_end_of_our_process_ends_a_well_behaved_program() -> None:
    code = (
        "import time; from swagproof.oracle.programs.program import load_program;"
        f"program = load_program({hard()!r}).program;"
        "print(program._connection.process.pid, flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    pid = int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()
    assert gone(pid)


def test_a_program_that_is_let_go_ends() -> None:
    subject = load_program(hard())
    assert isinstance(subject.program, Program)
    connection = subject.program._connection  # pyright: ignore[reportPrivateUsage]  # the process that must end
    assert connection is not None
    pid = connection.process.pid
    del subject, connection
    assert gone(pid)


def test_a_process_that_ignores_everything_is_stopped() -> None:
    code = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); time.sleep(60)"
    )
    process = Lines([*PYTHON, "-c", code])
    process.send("", 1)
    assert process.receive(1, 10.0) == ["ready"]
    process.stop()
    assert gone(process.pid)


def test_a_process_that_ended_is_not_called_silent() -> None:
    process = Lines(["sh", "-c", "sleep 60 & exit 4"])
    try:
        with pytest.raises(Ended, match="exit with code 4, and left a process that holds its output open"):
            process.receive(1, 0.3)
    finally:
        process.stop()


def test_a_process_is_silent_or_ends() -> None:
    process = Lines(["cat"])
    try:
        process.send("one\r\ntwo\n", 3)
        assert process.receive(2, 10.0) == ["one", "two"]
        with pytest.raises(Silent):
            process.receive(1, 0.05)
        assert not process.speaks_at_end_of_input(10.0)
        with pytest.raises(Ended, match="exit with code 0"):
            process.receive(1, 10.0)
        with pytest.raises(Trouble, match="cannot be sent"):
            process.send("\ud800", 0)
    finally:
        process.stop()


# Display


TRANSCRIPTS = re.findall(r"```text\n(.*?)```", PROTOCOL.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    ("transcript", "program", "options"),
    [
        (TRANSCRIPTS[0], hard(), ()),
        (
            TRANSCRIPTS[1],
            f"{sys.executable} {TESTS}/subjects/programs/talking_in_bulk.py fifo",
            ("--monoid", "concatenation"),
        ),
        (
            TRANSCRIPTS[2],
            f"{sys.executable} {TESTS}/subjects/programs/talking_in_bulk.py",
            ("--monoid", "concatenation"),
        ),
        (TRANSCRIPTS[3], f"{sys.executable} {TESTS}/subjects/programs/talking_in_time.py advance", ()),
    ],
    ids=["fifo", "fifo in bulk", "out-of-order", "time"],
)
def test_the_page_shows_what_is_said(transcript: str, program: str, options: tuple[str, ...]) -> None:
    assert len(TRANSCRIPTS) == 4
    shown = run(program, "--show", *options)
    assert shown.exit_code == 0
    said = [line.rstrip() for line in shown.stderr.splitlines()]
    assert said == [line for line in transcript.splitlines() if not line.startswith("#")]


def test_the_page_has_every_form_and_every_operation() -> None:
    page = PROTOCOL.read_text(encoding="utf-8")
    lines = ["| monoid | element | answer | of no elements | computes |", "|---|---|---|---|---|"]
    for name, (element, answer, computes) in protocol.FORMS.items():
        rule = domain(name).rule
        empty = answer.write(rule.round_exact(rule.mirror.identity))
        nothing = f"`{empty}`" if empty else "an empty line"
        lines.append(f"| `{name}` | {element.says} | {answer.says} | {nothing} | {computes} |")
    assert "\n".join(lines) in page
    for name in protocol.WINDOWS:
        for written in WINDOWS[name].forms:
            assert f"| `{written}` |" in page
    without = OPERATIONS.keys() - FORMS.keys()
    assert without == {"geometric-mean", "mutable-collect", *(name for name in without if "bloom" in name)}


def test_show_shows_what_is_wrong() -> None:
    result = run(hard("answers garbage"), "--show", "--monoid", "sum", "--json", "-")
    assert result.exit_code == 4
    assert "> query\n> flush\n< banana\n" in result.stderr
    assert json.loads(result.stdout)["sentence"] == BROKEN["answers garbage"] + ", after inserting 2 elements"


# Counts, custom monoids, throughput


def test_calls() -> None:
    program = Program([*PYTHON, str(HARD), "dumps"])
    steps = [insert(5), insert(6), QUERY, EVICT, QUERY, Step("query")]
    try:
        assert program.count_calls(domain("sum"), steps) == [0, 0, 0, 2, 0, 1, 1]
        assert program.count_calls(domain("sum"), [*steps] * 2)[7:] == [0, 0, 3, 0, 2, 2]
        with pytest.raises(InputError, match=r"supports sum,concatenation only|supports sum, concatenation only"):
            program.play(domain("max"), steps, Clock(), Tried())
    finally:
        program.stop()
    for behaviour, message in (
        ("counts down", "-., which is no number"),
        ("counts twice", "too many or too few answers"),
    ):
        program = Program([*PYTHON, str(HARD), behaviour])
        with pytest.raises(InputError, match=message):
            program.count_calls(domain("sum"), steps)
        program.stop()


OWN = """
class Longest:
    identity = ""
    samples = ["a", "bb", "cc"]
    def combine(self, a, b):
        return b if len(b) > len(a) else a
"""


def test_a_monoid_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    data = verdict(hard("own monoid"), "--monoid", f"{tmp_path}/own.py:Longest", "--effort", "20000")
    assert data["outcome"] == "conforms"
    assert data["tried"]["queries"] > 10
    other = run(hard(), "--monoid", f"{tmp_path}/own.py:Longest", "--effort", "20000")
    assert_refused(other, "supports sum, concatenation only")


def test_throughput_is_measured_beside_cat() -> None:
    found = throughput(hard(), n=10, turns=300)
    assert found.operations == 1210
    assert min(found.judged, found.carried, found.ratio, found.own_judged, found.own_carried, found.own_ratio) > 0
    assert found.as_json()["monoid"] == "sum"
    with pytest.raises(InputError, match="does not conform: operation"):
        throughput(hard("loses the second"), n=10, turns=5)


def test_nothing_of_ours_is_running() -> None:
    """This test is the last: every process that was started here has ended."""
    deadline = time.monotonic() + 10
    while str(HARD) in "".join(map(_command, _descendants(os.getpid()))) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert str(HARD) not in "".join(map(_command, _descendants(os.getpid())))


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
