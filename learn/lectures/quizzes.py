"""The quizzes of the lectures; answers are computed, because `lectures/quizzes.toml` has none."""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from swagproof.learn.plays.repertoire import read_place
from swagproof.learn.written import find_changes
from swagproof.oracle.trace import InputError

Handle = Callable[[Mapping[str, Any]], dict[str, Any]]
"""A function that answers messages of a session, in which a question may open a history."""


@cache
def quizzes() -> dict[str, list[dict[str, Any]]]:
    """The questions of each lecture."""
    return tomllib.loads((files("swagproof.learn") / "lectures" / "quizzes.toml").read_text(encoding="utf-8"))


@cache
def examples() -> dict[str, str]:
    """The initial text of each editor, by kind of window."""
    return tomllib.loads((files("swagproof.learn") / "lectures" / "examples.toml").read_text(encoding="utf-8"))


def run_quiz(lecture: str, at: int, handle: Handle) -> dict[str, Any]:
    """Return a question, its choices, its history, and the right answer, computed.  Raises InputError."""
    questions = quizzes().get(lecture, [])
    if at not in range(len(questions)):
        raise InputError(f"quiz: {lecture} has no question {at}")
    quiz = questions[at]
    then = quiz.get("then", "")
    slug, history = read_place(quiz["place"] + ("," if then and "," in quiz["place"] else "") + then)
    known = len(read_place(quiz["place"])[1] or ())
    changes = find_changes(quiz["mutant"], slug) if "mutant" in quiz else {}
    opened = handle({"do": "open", "algorithm": slug, "history": history, "changes": changes})
    right, choices = _find_answer(quiz, opened, handle)
    open_ = {"algorithm": slug, "monoid": opened["monoid"], "history": opened["history"], "changes": changes}
    return {
        "question": quiz["question"],
        "of": len(questions),
        "choices": choices,
        "right": right,
        "before": {**open_, "history": opened["history"][:known], "changes": {}},
        "open": open_,
        "from": opened["ends"][known] if then else 0,
    }


def _find_answer(quiz: Mapping[str, Any], opened: dict[str, Any], handle: Handle) -> tuple[str, list[str]]:
    """Return the right answer, and the choices."""
    last = handle({"do": "step", "at": len(opened["steps"]) - 1})
    match quiz["asks"]:
        case "calls":
            return str(last["calls"]), [str(number) for number in range(max(6, last["calls"] + 2))]
        case "answer":
            return last["answer"], quiz["choices"]
        case "pointer":
            found = re.search(rf"<title>{quiz['pointer']} points at (.*?) of (\d+)</title>", last["svg"])
            assert found is not None, quiz
            return found[1], [*(f"place {number}" for number in range(int(found[2]))), "the end"]
        case _:  # the first invariant that breaks
            names = [clause["name"] for clause in opened["clauses"]]
            first = next(at for at, step in enumerate(opened["steps"]) if step[3] > 1)
            looks = handle({"do": "step", "at": first})["looks"]
            return next(name for name, look in zip(names, looks, strict=True) if not look["holds"]), names
