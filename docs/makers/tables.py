"""Make the tables of the documentation's pages.  `python docs/makers/tables.py` writes them."""

import re
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Final, get_args

import second_solver
from drawing import draw
from experiments import list_figures, list_others, name_counted
from ledger import read_counts

from swagproof.pipeline.audit.diagnosis.answers import ANSWERS
from swagproof.pipeline.audit.diagnosis.events import EVENTS
from swagproof.pipeline.audit.diagnosis.hypothesis import Edit, Hypothesis
from swagproof.pipeline.audit.diagnosis.rows import ROWS
from swagproof.pipeline.audit.diagnosis.search import TABLES
from swagproof.pipeline.audit.diagnosis.windows import WINDOWS
from swagproof.pipeline.audit.diagnosis.zones import CLOCKS
from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.costs.curves import series
from swagproof.proofs.errata import ENTRIES, count_lists
from swagproof.proofs.errata.erratum import LISTS
from swagproof.proofs.experiments import EXPERIMENTS
from swagproof.proofs.ledger.claim import OF_THE_TEXT, OURS, PAPERS, Claim, Kind, scope_of
from swagproof.proofs.ledger.matrix import MAIN_ASPECTS, MARKS, arrange, shorten
from swagproof.proofs.ledger.statements import WITHOUT_ROW, find_rows
from swagproof.reference.catalogue import CATALOGUE, Entry

ROOT = Path(__file__).resolve().parent.parent.parent
PINNED: Final = read_counts()
"""Counts of each claim's check, as pinned."""


def fields(text: str) -> dict[str, str]:
    """The fields of a reference file's docstring, or none."""
    head = re.sub(r"\n {2,}", " ", text.partition("\n\nConventions")[0])  # a field may continue
    return dict(re.findall(r"^- ([A-Z][^:\n]+): (.+)$", head, re.MULTILINE))


def describe(entry: Entry) -> tuple[str, dict[str, str]]:
    """Return the path of an algorithm's transcription, and the fields of that module."""
    return entry.module.__name__.removeprefix("swagproof.").replace(".", "/"), fields(entry.module.__doc__ or "")


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(headings: tuple[str, ...], rows: list[str]) -> str:
    return "\n".join([row(*headings), row(*["---"] * len(headings)), *rows])


def algorithms() -> str:
    modules = sorted(
        map(describe, CATALOGUE), key=lambda module: (_place(module[1]["Paper"]), module[0].rpartition("/")[2])
    )
    rows = [
        row(f"[{said['Full name']}](../../../{name}.py)", said["Order"], said["Operator"], cost(said), said["Space"])
        for name, said in modules
    ]
    return table(("algorithm", "order", "operator", "cost", "space"), rows)


def _place(paper: str) -> int:
    """Return the position of an algorithm's paper among the papers; those without a paper come last."""
    return next((n for n, title in enumerate(PAPERS.values()) if paper.startswith(title.removesuffix(")")[:-6])), 9)


def cost(said: dict[str, str]) -> str:
    """The docstring's field that counts combine calls, or the unit used instead."""
    (name,) = (name for name in said if name not in ("Full name", "Paper", "Order", "Operator", "Space", "Errata"))
    return said[name] if name == "Combine calls" else f"{name}: {said[name]}"


def matrix() -> str:
    """Return the table of the strongest evidence for each algorithm and aspect, linked to the claim."""
    rows = [
        row(algorithm, *(link_to(cells[column][0], algorithm) if column in cells else "" for column in MAIN_ASPECTS))
        for algorithm, cells in arrange(CLAIMS).items()
    ]
    return table(("algorithm", *MAIN_ASPECTS), rows)


def link_to(claim: Claim, algorithm: str) -> str:
    """Return a claim's mark and name, linked to its row, in HTML: Sphinx accepts an id with a slash only there."""
    return f'**{MARKS[claim.kind]}** <a href="#{claim.id}">{shorten(claim, algorithm)}</a>'


def claims() -> str:
    parts: list[str] = []
    for paper in (*PAPERS, OURS):
        of_paper = [claim for claim in CLAIMS if claim.paper == paper and claim.kind not in OF_THE_TEXT]
        rows = [
            row(
                f'<a id="{claim.id}"></a>`{claim.id}`',
                claim.statement + count_of(claim),
                place_of(claim),
                reach_of(claim),
                str(len(claim.controls)),
            )
            for claim in of_paper
        ]
        if rows:
            heading = f"*{PAPERS[paper]}*" if paper in PAPERS else "Beyond the papers"
            parts.append(f"{heading}\n\n" + table(("id", "claim", "source", "kind, scope", "rejects"), rows))
    return "\n\n".join(parts)


def place_of(claim: Claim) -> str:
    """Return the place of a claim in its paper, and the comparison of the two sentences."""
    place = str(claim.source).removeprefix(f"{claim.paper}, ")
    return f"{place} *({claim.source.comparison})*" if claim.source.comparison else place


def count_of(claim: Claim) -> str:
    """Return the pinned number of mutants of a claim about mutants, by result."""
    found = {**PINNED.get(claim.id, {})}
    if "judged" not in found:
        return ""
    mutants, judged = found.pop("mutants"), found.pop("judged")
    fates = ", ".join(f"{n} {fate}" for fate, n in sorted(found.items()) if fate not in ("rejects", "score"))
    return f" *Of {mutants} mutants {judged} judged: {fates}.*"


def paths_of(claim: Claim) -> str:
    """Return the pinned numbers of paths and obligations of a proof along paths."""
    found = PINNED.get(claim.id, {})
    if claim.kind != "proved" or not found.get("paths"):
        return ""
    return f"; {found['obligations']:,} obligations on {found['paths']:,} paths"


def confirmed_of(claim: Claim) -> str:
    """Return the pinned number of Z3's answers that another solver confirms."""
    pinned = second_solver.read()
    said = pinned["rows"].get(claim.id)
    if said is None:
        return ""
    rest = [f", {said[name]} {told}" for name, told in (("open", "left open"), ("refuted", "refuted")) if said[name]]
    return f"; {pinned['solver']} confirms {said['confirmed']:,} of {said['asked']:,} answers{''.join(rest)}"


def reach_of(claim: Claim) -> str:
    """Return the reach of a check: its kind and engine, its scope, and its gaps."""
    said = [f"**{claim.kind}**, {claim.engine}{paths_of(claim)}{confirmed_of(claim)}", scope_of(claim)]
    return "<br>".join([*said, *([f"*not: {claim.not_covered}*"] if claim.not_covered else [])])


def statements() -> str:
    """Return the table of all numbered statements of the papers, with their claims or the reason for having none."""
    rows: list[str] = []
    for (paper, said), ids in find_rows(CLAIMS).items():
        looked_at = ", ".join(f"`{id}`" for id in ids) or f"*{WITHOUT_ROW[paper, said]}*"
        if counted := name_counted(paper[-5:-1], said):
            looked_at += f"; counted by `{counted}`"
        rows.append(row(paper, said, looked_at))
    return table(("paper", "statement", "claims"), rows)


def summary() -> str:
    """Count the claims by kind, and the mutants that they reject, in one sentence."""
    every = Counter(claim.kind for claim in CLAIMS)
    kinds = ", ".join(f"{every[kind]} {kind.replace('-', ' ')}" for kind in get_args(Kind))
    mutants = sum(len(claim.controls) for claim in CLAIMS)
    return f"{len(CLAIMS)} claims: {kinds}. Their checks reject {mutants:,} mutants."


def quote(words: str) -> str:
    """Quote words of a paper in a cell, with Markdown characters escaped."""
    return f"`{words}`" if re.search(r"[\\*_$<]", words) else f'"{words}"'


def errata() -> str:
    """Return the lists of errata, and the number of entries of each paper on each."""
    names = list(LISTS.values())
    counts = [
        row(title, *(str(count or "") for count in count_lists(e for e in ENTRIES if e.paper in papers).values()))
        for title, papers in (*((title, (paper,)) for paper, title in PAPERS.items()), ("all", tuple(PAPERS)))
    ]
    parts = [table(("paper", *names), counts)]
    for name in names:
        parts.append(f"## {name.capitalize()}")
        for paper, title in PAPERS.items():
            entries = [e for e in ENTRIES if (e.paper, e.listed) == (paper, name)]
            if entries:
                traces = [[f"`{e.trace()}`"] if e.verdict == "refuted" else [] for e in entries]
                rows = [
                    row(e.id, e.place, " ... ".join(map(quote, e.quotes)), *e.words.values(), *trace)
                    for e, trace in zip(entries, traces, strict=True)
                ]
                more = ["shown by"] if traces[0] else []
                parts.append(f"*{title}*\n\n" + table(("id", "place", "quoted", *entries[0].words, *more), rows))
    return "\n\n".join(parts)


def curve() -> str:
    """Return the table of FiBA's and the B-tree's combine calls against distance."""
    (experiment,) = (e for e in EXPERIMENTS if e.id == "fiba/distance")
    found = series(experiment.points((0, 1, 4, 16, 64, 256, 1023)))
    xs = list(next(iter(found.values())))
    rows = [row(name, *(f"{found[name][x]:.1f}" for x in xs)) for name in found if "mu = 2" in name]
    return table((f"{experiment.unit}; d =", *(f"{x:,}" for x in xs)), rows)


def example(name: str) -> str:
    """Return the job with this planted fault, in the words of the edit that explains most of its findings."""
    if str(ROOT / "tests") not in sys.path:
        sys.path.append(str(ROOT / "tests"))
    from support.jobs.faults import FAULTS  # among the tests

    fault = next(each for each in FAULTS if each.name == name)
    sample = fault.sample(fault.job)
    edits = [edit for each in TABLES if each.name == name for edit in each.list_edits(sample)]

    def fit(edit: Edit) -> tuple[int, float]:
        outcome = Hypothesis((edit,)).compare(sample)
        return len(outcome.explained) - len(outcome.contradicted), -edit.price

    return max(edits, key=fit).clause


def diagnoses() -> str:
    """Return the table of each kind of edit."""
    parts: list[str] = []
    for kind, rows in (("Events", (*EVENTS, *CLOCKS)), ("Windows", WINDOWS), ("Answers", ANSWERS), ("Rows", ROWS)):
        merged = {each.name: each for each in reversed(rows)}
        cells = [
            row(
                each.name,
                each.meaning,
                example(each.name),
                f"{each.family.value[0]} ({each.family.value[1]})",
                each.source,
            )
            for each in rows
            if merged[each.name] is each
        ]
        parts.append(
            f"### {kind}\n\n" + table(("diagnosis", "the job", "example", "family (reports)", "source"), cells)
        )
    return "\n\n".join(parts)


PAGES = {
    "README.md": {"summary": summary},
    "docs/manual/experiments.md": {"figures": list_figures, "others": list_others},
    "docs/manual/reference/algorithms.md": {"algorithms": algorithms},
    "docs/manual/reference/diagnosis.md": {"diagnoses": diagnoses},
    "docs/manual/reference/performance.md": {"curve": curve},
    "proofs/LEDGER.md": {"matrix": matrix, "claims": claims, "statements": statements},
    "proofs/ERRATA.md": {"errata": errata},
    "docs/architecture.md": {"house": partial(draw, "swagproof")},
}
"""The pages with generated tables."""


def with_tables(page: str) -> str:
    """Return the page's text with each table between its marks replaced."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, make in PAGES[page].items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        assert pattern.search(text), f"{page} has no place for {name}"
        made = make()
        text = pattern.sub(lambda marks, made=made: f"{marks[1]}\n{made}\n\n{marks[2]}", text)  # type: ignore[misc]  # mypy cannot infer a lambda with a default
    return text


if __name__ == "__main__":
    for page in PAGES:
        (ROOT / page).write_text(with_tables(page), encoding="utf-8")
