"""FlatFIT, SlickDeque and base intervals, for which no paper here has a picture: each by what it keeps and leaves out.

FlatFIT is its circular buffer, each partial aggregate with the pointer to where the next one begins, which a query
makes longer.  SlickDeque is the window with the elements that can still be an answer, each below the windows that it is
the answer of.  Base intervals stand over the elements that they are the product of, a row for each length.
"""

from collections.abc import Mapping
from typing import Any, Final

from swagproof.learn.scenes.in_order import LEFT, Row
from swagproof.learn.scenes.scene import Scene, Shape, cell, compose, edge, label, pointer, show, text_width

TOP: Final = 46.0
HEIGHT: Final = 38.0
MOST: Final = 48
"""Places that are drawn: of a larger window the oldest, or the two ends."""


def draw_flat_fit(s: Any, local: Mapping[str, Any]) -> Scene:
    """FlatFIT: the buffer, slot by slot; below each its pointer, and the way that it leads."""
    capacity = s.capacity
    slots = [(s.front + i) % capacity for i in range(MOST)] if capacity > MOST else list(range(capacity))
    held = {(s.front + i) % capacity for i in range(s.size)}
    on_way = set(local.get("positions", ()))
    row = Row([text_width(*show(s.partials[slot]), 44) for slot in slots])
    places = {slot: place for place, slot in enumerate(slots)}
    shapes: list[Shape] = []
    below, ways = TOP + HEIGHT + 6, TOP + HEIGHT + 32
    for place, slot in enumerate(slots):
        text, note = show(s.partials[slot]) if slot in held else ("", "")
        role = "" if slot not in held else "in-A" if slot in on_way else "in-F"
        left, width, to = row.x(place), row.width(place), s.pointers[slot]
        shapes.append(label(f"slot {slot}", left + width / 2 - 6, TOP - 16, str(slot), style="quiet"))
        product = f": {text}{f', the product of {note}' if note else ''}"
        shapes.append(
            cell(f"partial {slot}", left, TOP, width, text, note, h=HEIGHT, style=f"aggregate {role}".strip(),
                 links="partials size", place=f"partials[{slot}]", says=f"slot {slot}{product if text else ', empty'}")
        )  # fmt: skip
        leads = slot in held and slot != (s.front + s.size - 1) % capacity
        shapes.append(
            cell(f"leads {slot}", left, below, width, f"→{to}" if leads else "", h=26, style=role, links="pointers",
                 place=f"pointers[{slot}]", says=f"slot {slot} leads to {f'slot {to}' if leads else 'none'}")
        )  # fmt: skip
        if leads and to in places:
            start, end = left + width / 2, row.x(places[to]) + row.width(places[to]) / 2
            turn = (start + end) / 2, ways + min(18 + abs(places[to] - place) * 7, 70)
            shapes.append(edge(f"way {slot} down", (start + 4, ways), turn, links="pointers"))
            shapes.append(edge(f"way {slot} up", turn, (end - 4, ways), links="pointers"))
    shapes.append(label("name partials", 2, TOP + 12, "partials", style="quiet", links="partials"))
    shapes.append(label("name pointers", 2, below + 6, "pointers", style="quiet", links="pointers"))
    marks = {"front": s.front, **{name: local[name] for name in ("current", "back") if name in local}}
    for depth, (name, slot) in enumerate(marks.items()):
        if slot in places:
            style, at = "" if name == "front" else "variable", row.x(places[slot]) + 14
            shapes.append(pointer(name, at, ways + 74, 14.0 + 15 * depth, f"{name} is slot {slot}", style))
    left_out = f"; the first {MOST} slots are drawn" if capacity > MOST else ""
    return compose(shapes, f"{s.size} elements in {capacity} slots{left_out}", floor=ways + 140)


def draw_candidates(s: Any, local: Mapping[str, Any]) -> Scene:
    """SlickDeque: the window by position; what is no candidate is not kept, and drawn as a gap."""
    kept = {each.position - s.oldest: each for each in s.candidates}
    size = max([s.size, *(place + 1 for place in kept)])  # one more while an insert has only appended
    row = Row([text_width(*show(kept[place].value)) if place in kept else 34.0 for place in range(size)])
    first, numbers = 0, {each.position: number for number, each in enumerate(s.candidates)}
    shapes: list[Shape] = []
    for place in sorted(kept):
        position, text = kept[place].position, show(kept[place].value)[0]
        shapes += row.bracket(f"answers {position}", first, place + 1, 26, text, "candidates", "in-B")
        first = place + 1
    for place in row.shown():
        position, left, width = s.oldest + place, row.x(place), row.width(place)
        text, note = show(kept[place].value) if place in kept else ("·", "")
        number = numbers.get(position)
        shapes.append(
            label(f"position {position}", left + width / 2 - 6, TOP + HEIGHT + 2, str(position), style="quiet")
        )
        if number is None:
            says = f"position {position}: not kept, a younger element is chosen over it"
            shapes.append(cell(f"gone {position}", left, TOP, width, text, h=HEIGHT, links="size", says=says))
        else:
            shapes.append(
                cell(f"candidate {position}", left, TOP, width, text, note, h=HEIGHT, style="aggregate in-F",
                     links="candidates position value", place=f"candidates[{number}]",
                     says=f"position {position}: candidate {text}, the answer of the windows that begin below its name")
            )  # fmt: skip
    shapes += row.gap()
    shapes.append(label("name answers", 2, 22, "answers", style="quiet", links="candidates"))
    shapes.append(label("name candidates", 2, TOP + 12, "kept", style="quiet", links="candidates"))
    under = TOP + HEIGHT + 20
    shapes.append(pointer("oldest", row.x(0) + 14, under, 14, f"oldest is position {s.oldest}"))
    last = local.get("kept", 0) - 1
    if 0 <= last < len(s.candidates):
        at = row.x(s.candidates[last].position - s.oldest) + 14
        says = f"the last of {last + 1} candidates that are kept so far"
        shapes.append(
            pointer("kept", at, under, 14.0 if last else 29.0, says, "variable" if last else "variable stacked")
        )
    return compose(shapes, f"{s.size} elements, {len(kept)} of them candidates", floor=under + 44)


def draw_base_intervals(s: Any, local: Mapping[str, Any]) -> Scene:
    """Base intervals: a row for each length, the longest above, each over the elements that it is the product of."""
    found = [
        (level, place, held.of[0], held) for level, row in enumerate(s.levels) for place, held in enumerate(row)
    ]  # where a product stands is what it says of itself, so that a wrong one stands where it should not
    begin = min([s.front, *(number for *_, number, _ in found)])
    end = min(max([s.back, *(number + 1 for *_, number, _ in found)]), begin + MOST)
    unit = max([46.0, *((text_width(*show(held)) + 4) / 2**level for level, *_, held in found)])
    top = len(s.levels) - 1

    def x(number: int) -> float:
        return float(LEFT + (number - begin) * unit)

    shapes: list[Shape] = []
    for level in range(top + 1):
        y = TOP + (top - level) * (HEIGHT + 8)
        shapes.append(label(f"level {level}", 2, y + 12, f"length {2**level}", style="quiet", links="levels"))
    at, asked = local.get("at"), local.get("level")
    for level, place, number, held in found:
        if number + 2**level > end:
            continue
        text, note = show(held)
        role = "in-A" if (number, level) == (at, asked) else "in-F" if level == 0 else "in-R"
        shapes.append(
            cell(f"interval {level} {number}", x(number), TOP + (top - level) * (HEIGHT + 8), 2**level * unit - 4, text,
                 note, h=HEIGHT, style=f"aggregate {role}", links="levels", place=f"levels[{level}]",
                 says=f"{place + 1} of length {2**level}, from number {number}: {text}")
        )  # fmt: skip
    under = TOP + (top + 1) * (HEIGHT + 8)
    for number in range(begin, end):
        shapes.append(label(f"number {number}", x(number) + unit / 2 - 8, under - 6, str(number), style="quiet"))
    marks = {"front": s.front, "back": s.back, **({"at": at} if at is not None else {})}
    for depth, (name, number) in enumerate(marks.items()):
        if number <= end:
            style = "variable" if name == "at" else ""
            shapes.append(pointer(name, x(number) + 14, under + 12, 14.0 + 15 * depth, f"{name} is {number}", style))
    left_out = f"; the first {MOST} elements are drawn" if end - begin == MOST else ""
    return compose(shapes, f"{s.back - s.front} elements, {len(found)} base intervals{left_out}", floor=under + 76)
