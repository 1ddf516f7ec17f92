"""The page's other panels: an algorithm's text, errata of its paper, and the description of a step."""

import inspect
import json
import re
from collections.abc import Sequence
from typing import Any

from swagproof.learn.plays.repertoire import PLAYS, find_column
from swagproof.learn.recorder import Step
from swagproof.learn.texts import Text
from swagproof.learn.watching import Clause
from swagproof.learn.written import read_table
from swagproof.reference.catalogue import Column


def show_functions(text: Text, algorithm: type[Any]) -> list[dict[str, Any]]:
    """Return the functions of a text, with the lines marked that differ from the reference."""
    shown = [function.as_json() for function in text.functions]
    usual = {function.name: set(function.lines) for function in Text(algorithm).functions} if text.changed else {}
    for function in shown:
        for line in function["lines"]:
            line["changed"] = function["name"] in text.changed and line["text"] not in usual[function["name"]]
    return shown


def show_errata(column: Column) -> list[dict[str, Any]]:
    """Return the errata that the algorithm's docstring names, with playable refutations, and the paper's refuted
    statements that no algorithm's docstring names."""
    here, named = _named(column), {each for slug in PLAYS for each in _named(find_column(slug))}
    paper = about(column).get("Paper", "")
    shown: list[dict[str, Any]] = []
    for entry in read_table("errata"):
        forms = [form for form in entry["forms"] if form["slug"] == column.slug]
        alike = entry["case"] and entry["id"] not in named and paper.startswith(entry["paper"])
        if forms or alike or entry["id"] in here:
            elsewhere = sorted({find_column(form["slug"]).name for form in entry["forms"]} if not forms else ())
            shown.append({**entry, "forms": forms, "elsewhere": elsewhere})
    return shown


def _named(column: Column) -> set[str]:
    return set(re.findall(r"[A-Z]+-\d+", about(column).get("Errata", "")))


def label_operation(operation: list[Any]) -> str:
    """Return the timeline's label of an operation: `insert 3 "b"`, `bulk_insert 3 "b", 4 "c"`."""
    name, *arguments = operation
    if name == "bulk_insert":
        return f"{name} {', '.join(label_operation(['insert', *entry])[7:] for entry in arguments[0]) or 'nothing'}"
    return " ".join([name, *(json.dumps(each, ensure_ascii=False) for each in arguments)])


def say(step: Step, clauses: Sequence[Clause]) -> str:
    """Describe a step in a sentence; at the end of an operation, also the broken invariants and conditions."""
    if not step.ends:
        return step.says
    broken = [
        clause.name.replace("_", " ") for clause, look in zip(clauses, step.looks, strict=False) if not look.holds
    ]
    invariants = f"broken invariant{'s' * (len(broken) > 1)}: {', '.join(broken)}" if broken else ""
    if step.fails.startswith("the answer"):
        return "; ".join(filter(None, [invariants, step.fails]))
    unmet = f"not met: {step.fails}" if step.fails and step.fails not in step.says else ""
    return "; ".join(filter(None, [invariants, step.says, unmet]))


def about(column: Column) -> dict[str, str]:
    """The fields of the module's docstring: paper, cost, space."""
    found: dict[str, str] = {}
    for line in inspect.cleandoc(column.module.__doc__ or "").split("\n"):
        if line.startswith("- ") and ": " in line:
            name, _, value = line[2:].partition(": ")
            found[name] = value
    return found
