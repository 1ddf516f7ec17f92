"""The README's tables, made from what they speak of.  `python tests/readme.py` writes them anew."""

import re
from pathlib import Path

from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.errata import ERRATA
from swagproof.reference.catalogue import FIFO, Column

README = Path(__file__).resolve().parent.parent / "README.md"


def fields(column: Column) -> dict[str, str]:
    """The fields of a reference file's docstring."""
    import sys

    text = sys.modules[column.algorithm.__module__].__doc__ or ""
    return dict(re.findall(r"^- ([^:\n]+): (.+)$", text, re.MULTILINE))


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(headings: tuple[str, ...], rows: list[str]) -> str:
    return "\n".join([row(*headings), row(*["---"] * len(headings)), *rows])


def algorithms() -> str:
    rows = [
        row(column.name, said["Operator"], said["Combine calls"], said["Space"], said["Errata"])
        for column in FIFO
        for said in [fields(column)]
    ]
    return table(("algorithm", "asks of the operator", "combine calls", "space", "errata"), rows)


def claims() -> str:
    rows = [
        row(f"`{claim.id}`", claim.statement, claim.source, claim.kind, claim.engine, str(len(claim.controls)))
        for claim in CLAIMS
        if claim.kind != "refuted-as-printed"
    ]
    return table(("row", "claim", "source", "kind", "engine", "rejects"), rows)


def errata() -> str:
    rows = [row(erratum.id, erratum.place, erratum.printed, erratum.holds) for erratum in ERRATA]
    return table(("id", "place", "printed", "what holds"), rows)


SECTIONS = {"algorithms": algorithms, "claims": claims, "errata": errata}


def with_tables(text: str) -> str:
    """The text with each table between its marks made anew."""
    for name, make in SECTIONS.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        assert pattern.search(text), f"the README has no place for {name}"
        made = make()
        text = pattern.sub(lambda marks, made=made: f"{marks[1]}\n{made}\n\n{marks[2]}", text)  # type: ignore[misc]  # mypy cannot infer a lambda with a default
    return text


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text(encoding="utf-8")), encoding="utf-8")
