"""The pages around the explorer, generated from Markdown: home, with every algorithm, and the lectures.

They are static, so that they appear at once and without Python in the browser.
"""

import re
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from typing import Final

from swagproof.learn.plays.repertoire import PLAYS, find_column
from swagproof.learn.scenes.scene import Canvas
from swagproof.learn.scenes.svg import render_scene
from swagproof.learn.showing import about
from swagproof.learn.texts import first_sentence
from swagproof.reference.catalogue import Column

LECTURES: Final = ("in_order", "out_of_order", "windows_and_slices")
KINDS: Final = {
    "fifo": "In order: the oldest element leaves first",
    "out of order": "Out of order: elements come late, and leave in any order",
}
"""The headings of the cards; other kinds share windows or slices."""
OTHERS: Final = "Buffers, slices, and windows that share a stream"

LINK: Final = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
EXPLORER: Final = re.compile(r"(?:\.\./)*docs/manual/explorer\.md#(.+)")
MANUAL: Final = re.compile(r"(?:\.\./)*docs/manual/(.+)\.md")


def render_pages(manual: str | None = None) -> dict[str, str]:
    """Return all pages by path; `manual` is the path from home to the manual's site, if there is one."""
    lectures = {f"lectures/{name}.html": _lecture(name, manual) for name in LECTURES}
    return {"index.html": _home(manual), **lectures}


def _read(folder: str, name: str) -> str:
    return (files("swagproof.learn") / folder / name).read_text(encoding="utf-8")


def _home(manual: str | None) -> str:
    beside = f'<p>The <a href="{manual}index.html">manual</a> has the commands and the proofs.</p>' if manual else ""
    lectures = "".join(
        f'<li><a href="lectures/{name}.html">{escape(_title(_read("lectures", f"{name}.md")))}</a></li>'
        for name in LECTURES
    )
    page = _read("site", "home.html")
    for name, text in (("picture", _picture()), ("cards", _cards()), ("lectures", lectures), ("manual", beside)):
        page = page.replace(f"<!-- {name} -->", text)
    return page


def _picture() -> str:
    """Draw a window that slides over a stream."""
    canvas = Canvas()
    canvas.label("past", 2, 66, "gone")
    canvas.label("next", 600, 66, "to come")
    for place, letter in enumerate("abcdefghi"):
        style = "in-F" if 2 <= place < 7 else ""
        canvas.cell(f"e {place}", 50 + place * 60, 54, 52, letter, f"t {place}", style=style)
    canvas.bracket("window", 170, 30, 292, "the window slides to the right", style="in-F")
    canvas.cell("answer", 236, 108, 160, "c ⊗ d ⊗ e ⊗ f ⊗ g", "the answer", style="aggregate in-R")
    words = "A window over the elements c to g of a stream; a query asks for their product"
    return render_scene(canvas.compose(words, floor=140))


def _cards() -> str:
    columns = [find_column(slug) for slug in PLAYS]
    headed = {name: [column for column in columns if column.kind == kind] for kind, name in KINDS.items()}
    headed[OTHERS] = [column for column in columns if column.kind not in KINDS]
    return "".join(
        f"<h3>{name}</h3><div class='cards'>{''.join(map(_card, found))}</div>" for name, found in headed.items()
    )


def _card(column: Column) -> str:
    fields = about(column)
    says = first_sentence(column.algorithm.__doc__)
    rows = "".join(f"<dt>{name}</dt><dd>{escape(fields[name])}</dd>" for name in ("Combine calls", "Space", "Operator"))
    return (
        f'<article><h4><a href="explorer.html#{column.slug}/">{escape(column.name)}</a></h4>'
        f"<p>{escape(says)}</p><dl>{rows}</dl></article>"
    )


def _title(markdown: str) -> str:
    return markdown.partition("\n")[0].removeprefix("# ")


def _lecture(name: str, manual: str | None) -> str:
    text = _read("lectures", f"{name}.md")
    body = "\n".join(_blocks(text, manual))
    page = _read("site", "lecture.html")
    return page.replace("<!-- title -->", escape(_title(text))).replace("<!-- body -->", body)


def _blocks(markdown: str, manual: str | None) -> Iterator[str]:
    """Yield the blocks of a page: headings, lists and paragraphs, the only ones in lectures."""
    for block in re.split(r"\n\s*\n", markdown.strip()):
        heading = re.fullmatch(r"(#+) (.+)", block)
        if heading:
            level, words = len(heading[1]), _inline(heading[2], manual)
            yield f'<h{level} id="{heading[2].lower().replace(" ", "-")}">{words}</h{level}>'
        elif re.match(r"(?:-|1\.) ", block):
            items = re.split(r"^(?:-|\d+\.) ", block, flags=re.MULTILINE)[1:]
            tag = "ul" if block.startswith("-") else "ol"
            yield f"<{tag}>{''.join(f'<li>{_inline(item, manual)}</li>' for item in items)}</{tag}>"
        else:
            yield f"<p>{_inline(block, manual)}</p>"


def _inline(text: str, manual: str | None) -> str:
    parts = re.split(r"(`[^`]+`)", escape(" ".join(text.split()), quote=False))
    return "".join(f"<code>{part[1:-1]}</code>" if part.startswith("`") else _marks(part, manual) for part in parts)


def _marks(text: str, manual: str | None) -> str:
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
    text = re.sub(r"\*([^*]+)\*", r"<i>\1</i>", text)
    return LINK.sub(lambda link: _lead(link[1], link[2], manual), text)


def _lead(words: str, target: str, manual: str | None) -> str:
    """Return a link into the explorer, or to a page of the manual if there is one."""
    place, page = EXPLORER.fullmatch(target), MANUAL.fullmatch(target)
    if place:
        return f'<a href="../explorer.html#{place[1]}">{words}</a>'
    if page and manual is not None:
        return f'<a href="../{manual}{page[1]}.html">{words}</a>'
    return words
