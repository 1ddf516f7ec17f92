"""Many windows over one stream, as their paper draws them: the tuples on the axis of time, each window's reach above.

Below them stands what an algorithm shares: TimeGram's buckets on the axis of values, each with the timestamps of the
tuples that fell into it; OrderedSharing's tree, in the order of window sizes, each window valid or not.  Where every
query of STREAM keeps its own queues, there is nothing to share.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from swagproof.learn.scenes.scene import Scene, Shape, bracket, cell, compose, edge, label, show, text_width

LEFT: Final = 92.0
HEIGHT: Final = 34.0
REACH: Final = 26.0


class Tuples:
    """The newest tuples side by side, under their times, and the windows over them."""

    def __init__(self, times: Sequence[int], texts: Sequence[str], sizes: Sequence[int], fields: str) -> None:
        self.times, self.texts, self.sizes, self.fields = times, texts, sizes, fields
        self.width = max([text_width(text, "t 99", 44) for text in texts], default=44.0)

    def x(self, place: int) -> float:
        """Return where the tuple's column begins; for a place after the last, where it would begin."""
        return LEFT + place * (self.width + 3)

    def draw(self, styles: Mapping[int, str], windows: Mapping[int, str]) -> tuple[list[Shape], float]:
        """Their shapes, and what is below them; `styles` by time, what is said of a window by its size."""
        shapes: list[Shape] = []
        y = 20.0
        end = len(self.times)
        for size in reversed(self.sizes):
            start = max(end - size, 0)
            words = f"newest {size}{windows.get(size, '')}"
            room = (self.x(end) - self.x(start) - 3) / 6.4
            text = words if len(words) < room or start == 0 else f"{size}{windows.get(size, '')}"
            width = max(self.x(end) - self.x(start) - 3, 30)
            shapes.append(bracket(f"window {size}", self.x(start), y, width, text, links="registry windows queries"))
            y += REACH
        y += 2
        shapes.append(label("name tuples", 2, y + 10, "tuples", style="quiet", links=self.fields))
        for place, (time, text) in enumerate(zip(self.times, self.texts, strict=True)):
            shapes.append(
                cell(f"tuple {time}", self.x(place), y, self.width, text, f"t {time}", h=HEIGHT,
                     style=styles.get(time, "value"), links=self.fields, says=f"the tuple of time {time}: {text}")
            )  # fmt: skip
        return shapes, y + HEIGHT + 30


def draw_timegram(s: Any, local: Mapping[str, Any]) -> Scene:
    """TimeGram: a tuple is known by its bucket alone, so that is what stands in its place."""
    oldest = s.now - len(s.homes) + 1
    names = [_interval(s.boundaries(index)) for index in s.homes]
    shapes, y = Tuples(range(oldest, s.now + 1), names, s.registry.sizes, "homes now").draw({}, {})
    shapes.append(label("name buckets", 2, y + 10, "buckets", style="quiet", links="buckets"))
    width = max([text_width(_interval(s.boundaries(bucket.index)), "", 54) for bucket in s.buckets], default=54.0)
    highest = max((len(bucket.timestamps) for bucket in s.buckets), default=0)
    floor = y + max(highest, 1) * 26 + 6
    on = local.get("bucket")
    for place, bucket in enumerate(s.buckets):
        x = LEFT + place * (width + 14)
        text = _interval(s.boundaries(bucket.index))
        for depth, time in enumerate(bucket.timestamps):
            shapes.append(
                cell(f"stamp {time}", x + 6, floor - 26 * (depth + 1), width - 12, f"t {time}", h=24, style="in-F",
                     links="buckets timestamps", says=f"the tuple that arrived at {time} is in {text}")
            )  # fmt: skip
        count = len(bucket.timestamps)
        shapes.append(
            cell(f"bucket {bucket.index}", x, floor + 2, width, text, h=28, style="in-R" if bucket is on else "in-A",
                 links="buckets index boundaries", says=f"bucket {bucket.index}, {text}: {count} timestamps")
        )  # fmt: skip
    return compose(
        shapes, f"{len(s.homes)} tuples in {len(s.buckets)} buckets of width {s.width}, time {s.now}", floor=floor + 44
    )


def _interval(ends: tuple[Any, Any]) -> str:
    return f"{ends[0]}…{ends[1]}"


def draw_ordered(s: Any, local: Mapping[str, Any]) -> Scene:
    """OrderedSharing: the tree of windows whose answers are kept, and those that are out of it; each valid or not."""
    now, visits = s.currentTime, s.tree.visits
    oldest = now - len(s.tuples) + 1
    answers = {w.ts: "in-R" for w in s.tree if s.within(w, w.size)}
    words = {size: f": {_standing(s, w)[0]}" for size, w in s.windows.items()}
    tuples = Tuples(range(oldest, now + 1), [str(v) for v in s.tuples], s.registry.sizes, "tuples currentTime")
    shapes, y = tuples.draw(answers, words)
    shapes.append(label("name tree", 2, y + 10, "tree", style="quiet", links="tree"))
    places = {w.size: place for place, w in enumerate(s.tree)}
    width = 128.0

    def centre(size: int) -> float:
        return LEFT + places[size] * (width + 12) + width / 2

    def walk(node: Any, depth: int) -> int:
        top = y + depth * 84
        lowest = depth
        for child in (node.left, node.right):
            if child is not None:
                start, end = (centre(node.item.size), top + 52), (centre(child.item.size), top + 84)
                shapes.append(edge(f"edge {child.item.size}", start, end, links="tree"))
                lowest = max(lowest, walk(child, depth + 1))
        shapes.append(_window(s, node.item, centre(node.item.size) - width / 2, top, width, local))
        return lowest

    levels = -1 if s.tree.root is None else walk(s.tree.root, 0)
    if levels < 0:
        shapes.append(label("empty", LEFT, y + 10, "empty", style="quiet", links="tree"))
    y += max((levels + 1) * 84, 34) + 6
    out = [w for size, w in sorted(s.windows.items()) if size not in places]
    if out:
        shapes.append(label("name out", 2, y + 10, "not in it", style="quiet", links="windows"))
    for place, w in enumerate(out):
        shapes.append(_window(s, w, LEFT + place * (width + 12), y, width, local))
    valid = sum(s.valid(w) is not None for w in s.windows.values())
    s.tree.visits = visits  # looking at the picture costs the algorithm nothing
    return compose(
        shapes, f"{len(s.windows)} windows, {valid} valid, {len(places)} in the tree, time {now}", floor=y + 70
    )


def _standing(s: Any, w: Any) -> tuple[str, str]:
    """Return whether a window is valid, by its own answer or another's, and the role of its shape."""
    holder = s.valid(w)
    if holder is None:
        return "invalid", "in-B"
    return ("valid", "in-R") if holder is w else (f"answer of {holder.size}", "in-F")


def _window(s: Any, w: Any, x: float, y: float, width: float, local: Mapping[str, Any]) -> Shape:
    words, role = _standing(s, w)
    answer = "no answer" if w.answer is None else f"{w.answer} at {w.ts}" if w.ts >= 0 else f"({w.answer})"
    held = "".join(f" ← {name}" for name in ("w", "r") if local.get(name) is w)
    says = f"the window of the newest {w.size}: {answer}, {words}"
    return cell(f"node {w.size}", x, y, width, f"{w.size}: {answer}{held}"[:17], words, h=52, style=role,
                links="windows tree answer ts size", place=str(w.size), says=says)  # fmt: skip


def draw_stream(s: Any, local: Mapping[str, Any]) -> Scene:
    """STREAM: every query with its own queues, so the same tuples stand again and again."""
    shapes: list[Shape] = []
    y = 30.0
    now = max((len(query.input_queue) for query in s.queries), default=0)
    for number, query in enumerate(s.queries):
        values = list(query.input_queue)
        width = max([text_width(*show(value)) for value in [*values, *query.output_queue]], default=44.0)
        shapes.append(label(f"query {number}", 2, y + 10, f"newest {query.size}", style="quiet", links="queries size"))
        for queue, role, name in ((values, "in-F", "input"), (list(query.output_queue), "in-A", "output")):
            x = LEFT + (0 if name == "input" else len(values) * (width + 3) + 34)
            if queue:
                row = len(queue) * (width + 3) - 3
                shapes.append(bracket(f"{name} {number}", x, y - 8, row, f"{name} queue", style=role))
            for place, value in enumerate(queue):
                text, note = show(value)
                shapes.append(
                    cell(f"{name} {number} {place}", x, y, width, text, note, h=HEIGHT, style=role,
                         links=f"queries {name}_queue", says=f"{name} queue of query {number}: {text}")
                )  # fmt: skip
                x += width + 3
        y += HEIGHT + 34
    return compose(shapes, f"{len(s.queries)} queries, the longest queue holds {now} tuples")
