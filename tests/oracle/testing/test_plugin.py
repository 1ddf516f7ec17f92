"""The pytest plugin: a three-line class becomes a test item for each property, and a failing one shows the verdict."""

import re
import shlex
import subprocess
import sys
from importlib import import_module

import hypothesis
import pytest
from click.testing import CliRunner
from support.places import TESTS

from swagproof.oracle.commands.conform import conform
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.search.attempts import Phase
from swagproof.oracle.testing.conformance import properties
from swagproof.oracle.window import WINDOWS

pytest_plugins = "pytester"

KEPT = hypothesis
"""Imported here, so that runs of pytest within these tests do not import it again."""

WRONG = TESTS / "subjects" / "wrong.py"

RIGHT_CLASS = """
    from swagproof.oracle.testing.conformance import Conformance
    from swagproof.reference.in_order.daba_lite import DabaLite

    class TestMine(Conformance):
        subject = DabaLite
"""

SWAPPED = """
    from swagproof.oracle.testing.conformance import Conformance

    class Swapped:
        def __init__(self, monoid):
            self.monoid, self.values = monoid, []

        def insert(self, v):
            self.values.insert(0, v)

        def evict(self):
            self.values.pop()

        def query(self):
            product = self.monoid.identity
            for value in self.values:
                product = self.monoid.combine(product, value)
            return product

    class TestMine(Conformance):
        subject = Swapped
        monoids = ("sum", "concatenation")
"""


def test_a_right_window_passes_each_property(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(RIGHT_CLASS)
    result = pytester.runpytest("-v", "--swagproof-effort=100000", "--swagproof-seed=7")
    result.stdout.fnmatch_lines(["swagproof: --swagproof-seed=7 --swagproof-effort=100000"])
    names = re.findall(r"TestMine::test_conforms\[(.*?)\] (\w+)", result.stdout.str())
    assert {outcome for _, outcome in names} == {"PASSED"}
    for kind in (
        "short words",
        "turns",
        "random walks",
        "over concatenation",
        "over sum",
    ):
        assert kind in dict(names)


def test_a_wrong_window_fails_with_the_verdict_and_no_traceback(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_mine=SWAPPED)
    result = pytester.runpytest("--swagproof-effort=small", "--swagproof-seed=3")
    text = result.stdout.str()
    assert result.ret == 1
    assert 'violated: after inserting 2 elements the operands are swapped: "ba", not "ab"' in text
    assert '  operations  insert "a", insert "b", query' in text
    assert "Traceback" not in text
    assert "conformance.py" not in text
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] == 1
    assert outcomes["skipped"] > 10
    skipped = pytester.runpytest("-rs", "--swagproof-effort=small").stdout.str()
    assert "the window is wrong: see test_mine.py::TestMine::test_conforms[short words]" in skipped
    assert "test_conforms[[]over sum]" not in text
    (replay, *_) = re.findall(r"^  replay +(.*)$", text, re.MULTILINE)
    assert CliRunner().invoke(conform, shlex.split(replay)[2:]).exit_code == 1
    (again, *_) = re.findall(r"^  again +(pytest .*short words.*)$", text, re.MULTILINE)
    once = pytester.runpytest(*shlex.split(again)[1:], "--swagproof-html=pages/of this")
    once.assert_outcomes(failed=1)
    once.stdout.fnmatch_lines(["violated: after inserting 2 elements the operands are swapped: *", "  page  *"])
    (page,) = (pytester.path / "pages" / "of this").iterdir()
    assert page.name == "test_mine.py-TestMine-test_conforms-short-words.html"
    assert page.read_text().count("<tr class=fails>") == 1


SHARING = WRONG.parent / "hard" / "sharing.py"
REJECTED = {
    "short words": "LosesAtFlip",
    "turns": "WrongBeyond1000",
    "every size": "OffByOneEvict",
    "over concatenation": "OperandSwap",
    "another beside": "OneCache",
    "over mutable-collect": "ChangesTheHanded",
    "over sum": "RaisesWhenEmpty",
}
"""For each property, a window that it must reject."""


@pytest.mark.drawn(0)
def test_each_property_rejects_a_wrong_window(pytester: pytest.Pytester) -> None:
    files = {"OneCache": SHARING}
    classes = "".join(
        f"class Test{name}(Conformance):\n    subject = {f'{files.get(name, WRONG)}:{name}'!r}\n"
        for name in REJECTED.values()
    )
    pytester.makepyfile(test_mine=f"from swagproof.oracle.testing.conformance import Conformance\n{classes}")
    items = [f"test_mine.py::Test{name}::test_conforms[{property_}]" for property_, name in REJECTED.items()]
    result = pytester.runpytest("--swagproof-effort=default", *items)
    result.assert_outcomes(failed=len(REJECTED))
    assert len(re.findall("^violated: ", result.stdout.str(), re.MULTILINE)) == len(REJECTED)


SPEAKS = WRONG.parent / "hard" / "window.py"
"""A program that is right, or loses the second element on request."""


def test_a_program_is_judged_and_left_by_no_item(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_mine=f"""
        import sys
        from swagproof.oracle.testing.conformance import Conformance

        class TestRight(Conformance):
            program = [sys.executable, {str(SPEAKS)!r}]

        class TestWrong(Conformance):
            program = f"{{sys.executable}} {SPEAKS} 'loses the second'"

        class TestOther(TestRight):
            window = "shared"

        class TestNone(Conformance):
            program = "./none"
        """
    )
    result = pytester.runpytest("--swagproof-effort=default", "-k", "short")
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(
        [
            "violated: after inserting 2 elements the answer lacks *",
            "  replay      swagproof conform --exec *window.py* --monoid concatenation --trace *",
            "*it announces window=fifo, not shared",
            "--exec ./none: it cannot be started: No such file or directory",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert "During handling" not in result.stdout.str()


@pytest.mark.drawn(0)
def test_a_claim_is_an_item(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_mine="""
        from swagproof.oracle.testing.conformance import Conformance
        from swagproof.reference.in_order.daba_lite import DabaLite
        from swagproof.reference.in_order.two_stacks import TwoStacks

        class TestRight(Conformance):
            subject, claims = DabaLite, "daba-lite"

        class TestWrong(Conformance):
            subject, claims = TwoStacks, "daba"
        """
    )
    result = pytester.runpytest("--swagproof-effort=default", "-k", "claims")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*TestWrong.test_conforms?claims daba?*", "violated: *combine calls*"])
    result.stdout.fnmatch_lines(["  replay *--monoid concatenation --claims daba --trace *"])


def test_chance_is_no_pass(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_mine="""
        from swagproof.oracle.testing.conformance import Conformance
        from swagproof.reference.in_order.daba_lite import DabaLite

        class Once(DabaLite):
            asked = 0

            def query(self):
                Once.asked += 1
                return "wrong" if Once.asked == 10 else super().query()

        class TestMine(Conformance):
            subject = Once
            monoids = ("concatenation",)
        """
    )
    result = pytester.runpytest("--swagproof-effort=default", "test_mine.py::TestMine::test_conforms[short words]")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["violated: * chance is at work"])


BROKEN = {
    "pass": "TestMine0: nothing to judge: give it subject = MyWindow, or program = [[]...[]]",
    "subject, window = DabaLite, 'fifa'": "TestMine1: window = 'fifa' is none of fifo, *",
    "subject, monoids = DabaLite, ('summ',)": "*summ: not one of count, sum, *",
    "subject, monoids = DabaLite, 'sum'": 'TestMine3: monoids must be a tuple of names, such as ("sum",)',
    "subject = dict": "*dict: no method insert, evict, query; a fifo window needs insert, evict, query*",
    "subject = 'no/such.py:Window'": "*there is no file no/such.py",
    "subject, claims = DabaLite, 'dabba'": "--claims dabba: not one of *",
}
"""The bodies of classes that cannot be judged, each with its error message."""


def test_a_class_that_cannot_be_judged_is_an_error_in_one_line(pytester: pytest.Pytester) -> None:
    classes = "".join(f"class TestMine{number}(Conformance):\n    {body}\n" for number, body in enumerate(BROKEN))
    pytester.makepyfile(
        "from swagproof.oracle.testing.conformance import Conformance\n"
        f"from swagproof.reference.in_order.daba_lite import DabaLite\n{classes}"
    )
    result = pytester.runpytest()
    result.assert_outcomes(errors=len(BROKEN))
    result.stdout.fnmatch_lines(list(BROKEN.values()))
    assert "Traceback" not in result.stdout.str()


EATS = """
    from swagproof.oracle.testing.conformance import Conformance
    from swagproof.reference.in_order.daba_lite import DabaLite

    class Eats(DabaLite):
        def evict(self):
            self.kept = bytes(300 << 20)
            super().evict()

    class TestMine(Conformance):
        subject = Eats
"""


@pytest.mark.drawn(0)
def test_memory_is_limited_by_the_ini_file_and_by_the_class(pytester: pytest.Pytester) -> None:
    """The limits apply in separate judges: see the test of the command."""
    short = ("-k", "short", "--swagproof-effort=60000")
    pytester.makepyfile(test_mine=EATS)
    pytester.runpytest_subprocess(*short).assert_outcomes(passed=1)
    pytester.makeini("[pytest]\nswagproof_memory = 256\n")
    result = pytester.runpytest_subprocess(*short)
    result.assert_outcomes(failed=1)
    assert "violated: evict raised MemoryError, after inserting 1 element" in result.stdout.str()
    assert "--monoid concatenation --memory 256 --trace" in result.stdout.str()
    pytester.makepyfile(test_mine=EATS + "        memory = 1024\n")
    pytester.runpytest_subprocess(*short).assert_outcomes(passed=1)
    pytester.makeini("[pytest]\nswagproof_memory = little\n")
    pytester.makepyfile(test_mine=EATS)
    result = pytester.runpytest_subprocess(*short)
    result.stdout.fnmatch_lines(["*memory = 'little', or swagproof_memory in pytest's ini file: *"])


def test_what_was_not_tried_is_no_pass(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_mine=RIGHT_CLASS)
    result = pytester.runpytest("--swagproof-effort=0", "test_mine.py::TestMine::test_conforms[random walks]")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["unknown: the effort of 0 operations was spent before any answer was checked"])


@pytest.mark.parametrize("option", ["--swagproof-seed=x", "--swagproof-effort=-1", "--swagproof-effort=huge"])
def test_bad_options(pytester: pytest.Pytester, option: str) -> None:
    result = pytester.runpytest(option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*argument {option.partition('=')[0]}: invalid*"])


def test_a_seed_can_be_drawn(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest("--swagproof-seed=random")
    assert re.search(r"--swagproof-seed=\d+", result.stdout.str())


@pytest.mark.parametrize("window", KINDS)
def test_every_phase_is_an_item_and_the_shares_add_up(window: str) -> None:
    monoids = list(KINDS[window].domains)[:2]
    made = properties(window, monoids)
    phases: list[Phase] = KINDS[window].phases((), 0, tuple(WINDOWS[window].operations))
    assert {phase.name for phase in phases} <= {it.name for it in made}
    assert len({it.name for it in made}) == len(made)
    assert 0.6 < sum(it.share for it in made) <= 1.001


def test_the_plugin_costs_nothing_where_it_is_not_used() -> None:
    plugin = "swagproof.oracle.testing.plugin"
    code = f"import sys, random, pytest; had = {{*sys.modules}}; import {plugin}; print(*{{*sys.modules}} - had)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {*run.stdout.split()} == {"swagproof", "swagproof.oracle", "swagproof.oracle.testing", plugin}


def test_classes_are_judged_where_the_plugin_is_switched_off(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_mine=SWAPPED)
    result = pytester.runpytest_subprocess("-p", "no:swagproof", "-k", "short")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["violated: after inserting 2 elements the operands are swapped: *"])


def seeds_told(text: str) -> list[str]:
    return re.findall(r"--swagproof-seed=(\d+)", text)


def test_a_drawn_seed_is_that_of_the_header_on_every_worker(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_mine=SWAPPED)
    result = pytester.runpytest_subprocess("-n1", "--swagproof-seed=random", "-k", "short")
    result.assert_outcomes(failed=1)
    header, *others = seeds_told(result.stdout.str())
    assert {*others} == {header}


def test_the_line_to_run_it_again_is_one_where_it_was_started(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeini("[pytest]\n")
    below = pytester.mkdir("below")
    pytester.makepyfile(test_mine=SWAPPED).rename(below / "test_mine.py")
    monkeypatch.chdir(below)
    result = pytester.runpytest("-k", "short")
    again, *_ = re.findall(r"^  again +(pytest .*)$", result.stdout.str(), re.MULTILINE)  # and in CI's summary
    pytester.runpytest(*shlex.split(again)[1:]).assert_outcomes(failed=1)


@pytest.mark.parametrize(
    ("module", "lacks", "get"),
    [
        ("conformance", "pytest", "pip install pytest"),
        *((name, "hypothesis", "'swagproof[hypothesis]'") for name in ("machines", "strategies")),
    ],
)
def test_what_misses_a_package_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, module: str, lacks: str, get: str
) -> None:
    monkeypatch.setitem(sys.modules, lacks, None)
    for name in (module, "machine", "fifo_machine"):
        monkeypatch.delitem(sys.modules, f"swagproof.oracle.testing.{name}", raising=False)
    with pytest.raises(ImportError, match=re.escape(get)):
        import_module(f"swagproof.oracle.testing.{module}")
