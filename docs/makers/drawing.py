"""The imports between what stands side by side in a package, and their drawing as a graph of Mermaid.

Every import counts, also those for type checkers alone and those within functions: what is hidden there is needed all
the same to understand the one who imports.
"""

from collections.abc import Mapping
from functools import cache

import grimp

Arrows = Mapping[str, set[str]]


@cache
def read_imports() -> Arrows:
    """For each module of the project what it imports."""
    graph = grimp.build_graph("swagproof", cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def between_siblings(imports: Arrows, package: str) -> Arrows:
    """The arrows between what stands side by side in a package: modules, and folders as one."""

    def place(module: str) -> str:
        return module.removeprefix(f"{package}.").partition(".")[0] if module.startswith(f"{package}.") else ""

    arrows: dict[str, set[str]] = {}
    for module, others in imports.items():
        arrows.setdefault(place(module), set()).update(place(other) for other in others)
    return {name: others - {"", name} for name, others in arrows.items() if name}


def leave_out_implied(arrows: Arrows) -> Arrows:
    """The arrows that no way over others stands for.  There must be no circle."""

    @cache
    def below(name: str) -> frozenset[str]:
        return frozenset(arrows[name]).union(*map(below, arrows[name]))

    return {name: {o for o in others if not any(o in below(via) for via in others)} for name, others in arrows.items()}


def draw(package: str) -> str:
    """A package as a graph: who imports stands above whom it imports."""
    arrows = between_siblings(read_imports(), package)
    count = sum(map(len, arrows.values()))
    drawn = leave_out_implied(arrows)
    alone = {name for name in arrows if not arrows[name]}.difference(*arrows.values())
    lines = [f"    {name}" for name in sorted(alone)]
    lines += [f"    {name} --> {other}" for name in sorted(drawn) for other in sorted(drawn[name])]
    counted = (
        f"`{package}` has {len(arrows)} parts and {count} arrows between them, without a cycle; "
        "arrows that others imply are not drawn."
    )
    return "\n".join([counted, "", "```mermaid", "flowchart TD", *lines, "```"])
