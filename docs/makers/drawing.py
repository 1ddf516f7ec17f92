"""The imports between the modules of a package, and their drawing as a Mermaid graph.

Every import counts, also imports for type checkers and inside functions, because a reader of the importing module needs
the imported one too.
"""

from collections.abc import Mapping
from functools import cache

import grimp

Arrows = Mapping[str, set[str]]


@cache
def read_imports() -> Arrows:
    """Return the imports of each module of the project."""
    graph = grimp.build_graph("swagproof", cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def between_siblings(imports: Arrows, package: str) -> Arrows:
    """Return the imports between the direct modules and sub-packages of a package."""

    def place(module: str) -> str:
        return module.removeprefix(f"{package}.").partition(".")[0] if module.startswith(f"{package}.") else ""

    arrows: dict[str, set[str]] = {}
    for module, others in imports.items():
        arrows.setdefault(place(module), set()).update(place(other) for other in others)
    return {name: others - {"", name} for name, others in arrows.items() if name}


def leave_out_implied(arrows: Arrows) -> Arrows:
    """Remove the arrows that a longer path implies.  There must be no cycle."""

    @cache
    def below(name: str) -> frozenset[str]:
        return frozenset(arrows[name]).union(*map(below, arrows[name]))

    return {name: {o for o in others if not any(o in below(via) for via in others)} for name, others in arrows.items()}


def draw(package: str) -> str:
    """Draw a package as a graph, with importing modules above imported ones."""
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
