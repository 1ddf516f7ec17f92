"""A session of the explorer: answers messages; both are plain JSON values.

A session holds one algorithm and its recorded history, all of which a link contains. A page that loses its session (a
stopped process, a terminated worker) opens the same history in a new one. A session runs the user's code, so it runs
where it can be ended: see `serving/watched.py`, and the site's web worker.

    {"do": "catalogue"}                               the algorithms, monoids
    {"do": "open", "algorithm": "daba", "monoid": "letters", "history": [["insert", "a"]], ...}
                                                      its text, listings, clauses, scenarios; then the timeline;
                                                      or with "place": "daba/ie", as lectures name a history
    {"do": "extend", "operations": [...]}             more operations; the timeline
    {"do": "step", "at": 17}                          one step: picture, line, clauses, calls
    {"do": "beside", "operation": 4}                  the reference after the same operation, if the text is changed
    {"do": "scenario", "name": "slide", "size": 8}    the operations of a scenario
    {"do": "mutant", "name": "never flips"}          the functions that a registered mutant changes
    {"do": "quiz", "lecture": "in_order", "at": 0}    a question of a lecture; with "choice", whether that is right
    {"do": "break"}                                   a history that shows an error of the open text
    {"do": "judge", "source": "class ...", ...}       the verdict on a class, and the history that shows it, opened;
                                                      with a history, that one, and no verdict: the class was lost

A failure is `{"error": "why, in one line"}`. A timeline has a version, the digest of all that a link carries. A message
about a history may name the version that it means; if another is open, the answer is `{"error": ..., "stale": true}`.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from itertools import islice
from typing import Any, Final

from swagproof.learn.bounds import Allowed, bound_history
from swagproof.learn.breaking import DOMAINS, find_broken, judge_class, show_judgement
from swagproof.learn.lectures.quizzes import examples, run_quiz
from swagproof.learn.plays.monoids import MONOIDS, check_elements, elements_of
from swagproof.learn.plays.play import TIME, Play, with_elements
from swagproof.learn.plays.repertoire import PLAYS, find_column, kinds, read_place
from swagproof.learn.products import Tracked
from swagproof.learn.recorder import Recorder, Setup
from swagproof.learn.scenes.fields import draw_fields
from swagproof.learn.scenes.svg import render_scene
from swagproof.learn.settings import Setting, read_setting
from swagproof.learn.showing import (
    about,
    label_operation,
    say,
    show_errata,
    show_functions,
)
from swagproof.learn.texts import Text, show_listings
from swagproof.learn.typed import Beside, find_class
from swagproof.learn.written import find_changes, read_table
from swagproof.oracle.trace import InputError

WINDOWS: Final = {"fifo": "fifo", "out of order": "out-of-order"}
"""The oracle's names for the kinds of window that it judges here."""

MOST_OPERATIONS: Final = 500
"""The greatest number of operations of a history."""

ABOUT_A_HISTORY: Final = ("extend", "step", "beside", "scenario", "mutant", "break")
"""The messages that refer to the open history."""


class Session:
    """An open algorithm with its history."""

    def __init__(self) -> None:
        self._recorder: Recorder | None = None
        self._play: Play | None = None
        self._setting: Setting | None = None
        """The open setting; None for a user's own class."""
        self._text: Text | None = None
        self._monoid = "letters"
        self._reference: Recorder | None = None
        """The same history on the reference, as far as needed, if a changed text is open."""
        self._identity: tuple[Any, ...] = ()
        """The identity of the open page, without its history."""

    def handle(self, message: Any) -> dict[str, Any]:
        """Answer a message."""
        try:
            known = [name.removeprefix("do_") for name in vars(Session) if name.startswith("do_")]
            if not isinstance(message, dict) or message.get("do") not in known:
                raise InputError(f"a message is an object whose field do is one of {', '.join(known)}")
            meant = message.get("version", self._version())
            if message["do"] in ABOUT_A_HISTORY and meant != self._version():
                return {"error": "what is open is not what the message is about", "stale": True}
            return getattr(self, f"do_{message['do']}")(message)  # type: ignore[no-any-return]  # a method below
        except InputError as error:
            return {"error": str(error)}
        except KeyError as error:
            return {"error": f"the message lacks {error}"}
        except RecursionError:
            return {"error": "the message cannot be used: it is nested too deeply"}
        except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
            return {"error": f"the message cannot be used: {error}"}

    def do_catalogue(self, message: Mapping[str, Any]) -> dict[str, Any]:
        algorithms = [{"slug": slug, "name": find_column(slug).name, "kind": kind} for slug, kind in kinds().items()]
        return {"algorithms": algorithms, "monoids": [*MONOIDS], "examples": examples()}

    def do_open(self, message: Mapping[str, Any]) -> dict[str, Any]:
        if "place" in message:
            algorithm, history = read_place(str(message["place"]))
            message = {**message, "algorithm": algorithm, "history": history}
        setting = read_setting(message)
        column, play = setting.column, setting.play
        text = Text(column.algorithm, message.get("changes"))
        recorder = Recorder(setting.set_up(text))
        self._reference = Recorder(setting.set_up(Text(column.algorithm))) if text.changed else None
        self._identity = (column.slug, setting.monoid, text.changed, setting.options)
        self._recorder, self._play, self._setting, self._text = recorder, play, setting, text
        self._monoid = setting.monoid
        history = message.get("history")
        self._run(with_elements(play.start, play, setting.monoid) if history is None else history)
        mutants = read_table("mutants").get(column.slug, [])
        return {
            **self._show_window(),
            "algorithm": column.slug,
            "name": column.name,
            "options": {name: option.as_json(name, setting.options[name]) for name, option in play.options.items()},
            "about": about(column),
            "functions": show_functions(text, column.algorithm),
            "changed": text.changed,
            "claims": read_table("claims").get(column.slug, []),
            "listings": show_listings(column.listings),
            "clauses": [
                {"name": clause.name.replace("_", " "), "formula": clause.formula, "fields": list(clause.fields)}
                for clause in recorder.setup.clauses
            ],
            "mutants": [{name: each[name] for name in ("name", "hidden", "rows")} for each in mutants],
            "errata": show_errata(column),
        }

    def do_extend(self, message: Mapping[str, Any]) -> dict[str, Any]:
        self._run(message["operations"])
        return self._timeline()

    def _run(self, operations: Any) -> None:
        recorder, play = self._opened()
        if not isinstance(operations, list):
            raise InputError(f"operations: expected a list, found {operations!r}")
        checked = [play.check(operation) for operation in operations]
        if len(recorder.history) + len(checked) > MOST_OPERATIONS:
            raise InputError(f"a history has at most {MOST_OPERATIONS:,} operations")
        check_elements(play.elements([*recorder.history, *checked]), self._monoid)
        for operation in checked:
            if recorder.failed:
                break  # the previous operation raised, as the timeline shows
            recorder.perform(operation)

    def _opened(self) -> tuple[Recorder, Play]:
        if self._recorder is None or self._play is None:
            raise InputError("no algorithm is open")
        return self._recorder, self._play

    def _set(self) -> tuple[Setting, Text]:
        if self._setting is None or self._text is None:
            raise InputError("no built-in algorithm is open")
        return self._setting, self._text

    def _version(self) -> str:
        history = self._recorder.history if self._recorder else []
        return hashlib.sha256(json.dumps([self._identity, history]).encode()).hexdigest()[:16]

    def _timeline(self) -> dict[str, Any]:
        recorder, play = self._opened()
        ends = [number for number, step in enumerate(recorder.steps) if step.ends]
        return {
            "version": self._version(),
            "history": recorder.history,
            "steps": [
                [
                    step.operation,
                    step.depth,
                    *map(int, (step.ends, step.is_broken + step.breaks_invariant, step.is_shown)),
                ]
                for step in recorder.steps
            ],
            "ends": ends,
            "calls": [recorder.steps[number].calls for number in ends],
            "bounds": [allowed.calls for allowed in self._allowed()],
            "failed": recorder.failed,
            "next": self._next(),
            "labels": [label_operation(operation) for operation in recorder.history],
            "takes": {name: list(takes) for name, takes in play.operations.items()},
        }

    def _allowed(self) -> list[Allowed]:
        """Return the bounds on each operation."""
        recorder, _ = self._opened()
        setting = self._setting
        column, options = (setting.column, setting.options) if setting else (None, {})
        return bound_history(column, options, recorder.history, recorder.done)

    def _next(self) -> dict[str, Any]:
        """Return the default arguments of the next operation."""
        recorder, play = self._opened()
        element = next(islice(elements_of(self._monoid), len(play.elements(recorder.history)), None))
        times, held = [0], list[Any]()
        if TIME in play.operations.get("insert", ()):
            times += [insert[1] for operation in recorder.history for insert in play.inserts(operation)]
            held = [*getattr(getattr(recorder.window, "model", None), "times", ())]
        return {"element": element, "time": max(times) + 1, "oldest": held[0] if held else 0, "held": held}

    def do_step(self, message: Mapping[str, Any]) -> dict[str, Any]:
        recorder, _ = self._opened()
        at = message["at"]
        if not isinstance(at, int) or not 0 <= at < len(recorder.steps):
            raise InputError(f"at: {at!r} is not a step; there are {len(recorder.steps)}")
        step = recorder.look(at)
        allowed = self._allowed()[step.operation] if step.operation >= 0 else Allowed()
        assert step.scene is not None
        return {
            "operation": step.operation,
            "label": label_operation(recorder.history[step.operation]) if step.operation >= 0 else "the start",
            **{name: getattr(step, name) for name in ("function", "line", "calls", "total", "ends", "fails", "answer")},
            "combined": [[(p.text, p.span) for p in (c.left, c.right, c.result)] for c in step.combined],
            "local": dict(step.local),
            "svg": render_scene(step.scene),
            "says": say(step, recorder.setup.clauses),
            "state": step.scene.says,
            "looks": [asdict(look) for look in step.looks],
            "broken": step.is_broken,
            "account": {"most": allowed.total, "source": allowed.source},
        }

    def do_beside(self, message: Mapping[str, Any]) -> dict[str, Any]:
        recorder, _ = self._opened()
        at, reference = message["operation"], self._reference
        if reference is None or at not in range(-1, len(recorder.history)):
            raise InputError(f"operation: there is no reference for {at!r}")
        while len(reference.history) <= at and not reference.failed:
            reference.perform(recorder.history[len(reference.history)])
        end = next((n for n, step in enumerate(reference.steps) if step.ends and step.operation == at), None)
        step = reference.look(len(reference.steps) - 1 if end is None else end)
        assert step.scene is not None
        return {"svg": render_scene(step.scene), "says": step.says}

    def do_scenario(self, message: Mapping[str, Any]) -> dict[str, Any]:
        _, play = self._opened()
        size = message.get("size", 8)
        if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= 100:
            raise InputError(f"size: expected a number from 1 to 100, found {size!r}")
        for scenario in play.scenarios:
            if scenario.name == message["name"]:
                return {"operations": with_elements(scenario.make(size), play, self._monoid)}
        raise InputError(f"{message['name']}: a scenario is one of {', '.join(each.name for each in play.scenarios)}")

    def do_mutant(self, message: Mapping[str, Any]) -> dict[str, Any]:
        return {"changes": find_changes(message["name"], self._set()[0].column.slug)}

    def do_quiz(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return a question of a lecture; with a choice, whether it is right, and the history that explains it."""
        quiz = run_quiz(str(message["lecture"]), message["at"], Session().handle)
        right = quiz.pop("right")
        if "choice" not in message:
            return {name: quiz[name] for name in ("question", "of", "choices", "before")}
        is_right = message["choice"] == right
        return {**quiz, "is_right": is_right, "says": f"{'Right' if is_right else 'Not quite'}: the answer is {right}."}

    def do_break(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return a history that breaks the open text, found by the oracle or by the contracts."""
        setting, text = self._set()
        column, monoid = setting.column, setting.monoid
        subtracts = column.subtracts and monoid == "letters"  # whose oracle monoid has no subtraction
        window = WINDOWS.get(column.kind) if monoid in DOMAINS and not subtracts else None
        found: dict[str, Any] = {
            "outcome": "unknown",
            "sentence": "the oracle judges windows over letters, sum and max here",
            "history": None,
        }
        if window is not None:
            others = [name for name in setting.play.monoids if name in DOMAINS and not column.subtracts]
            judged = judge_class(setting.bind(text.algorithm), column.name, window, [monoid, *others])
            found = show_judgement(judged, setting.play)
        if found["history"] is not None:
            over = replace(setting, monoid=found["monoid"])
        else:
            searched = find_broken(setting, text)
            over = searched.setting
            found = {**found, "tried": searched.tried, "history": searched.history, "by": "contract"}
        return {**found, "over": {"monoid": over.monoid, "options": over.options}, "elsewhere": over != setting}

    def do_judge(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return the verdict on a user's class, and open its history."""
        window, monoid = str(message.get("window", "fifo")), str(message.get("monoid", "letters"))
        slug = next((slug for slug, kind in kinds().items() if WINDOWS.get(kind) == window), "")
        if not slug:
            raise InputError(f"{window}: give one of {', '.join(WINDOWS.values())}")
        monoid = monoid if monoid in DOMAINS else "letters"
        play = PLAYS[slug]
        text, cls = find_class(str(message["source"]), [name for name in play.operations if name != "range_query"])
        found: dict[str, Any] = {"history": message.get("history")}
        if found["history"] is None:
            found = show_judgement(judge_class(cls, cls.__name__, window, [monoid, *DOMAINS]), play)
            monoid = found.get("monoid", monoid)

        def build() -> tuple[Any, Tracked]:
            tracked = Tracked(MONOIDS[monoid])
            return Beside(cls, window, tracked), tracked

        recorder = Recorder(Setup(build, play.perform, text, lambda s, local: draw_fields(s.own, local), ()))
        self._identity = (window, monoid, message["source"])
        self._recorder, self._play, self._setting, self._text = recorder, play, None, None
        self._monoid = monoid
        self._run(with_elements(play.start, play, monoid) if found["history"] is None else found["history"])
        return {
            **found,
            **self._show_window(),
            "name": cls.__name__,
            "about": {"Full name": f"{cls.__name__}, yours"},
            "functions": [function.as_json() for function in text.functions],
        }

    def _show_window(self) -> dict[str, Any]:
        """Return the fields of a page for any window; a user's class leaves some of them empty."""
        _, play = self._opened()
        return {
            "algorithm": "",
            "monoid": self._monoid,
            "monoids": [*play.monoids],
            "scenarios": [{"name": each.name, "says": each.says} for each in play.scenarios],
            **{name: {} for name in ("options", "changed")},
            **{name: [] for name in ("listings", "clauses", "mutants", "errata", "claims")},
            **self._timeline(),
        }
