"""Many windows over one stream, as drawn in their paper: tuples on the time axis, and above them each window's range.

Below them is the structure that an algorithm shares: TimeGram's buckets on the axis of values, each with the timestamps
of its tuples; or OrderedSharing's tree, ordered by window size, with each window valid or not.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from swagproof.learn.scenes.scene import HEIGHT, Canvas, Scene, text_width

LEFT: Final = 92.0
REACH: Final = 26.0
WINDOW: Final = 128.0
"""The width of a window in the tree."""


def _draw_tuples(
    tuples: Mapping[int, str], sizes: Sequence[int], fields: str, styles: Mapping[int, str], windows: Mapping[int, str]
) -> tuple[Canvas, float]:
    """Draw the newest tuples side by side under the windows over them; return the picture and the height used.

    `tuples` and `styles` are keyed by time, descriptions of windows by size.
    """
    canvas = Canvas()
    width = max([text_width(text, "t 99", 44) for text in tuples.values()], default=44.0)
    y, end = 20.0, LEFT + len(tuples) * (width + 3)
    for size in reversed(sizes):
        start = max(end - size * (width + 3), LEFT)
        words = f"newest {size}{windows.get(size, '')}"
        text = words if len(words) < (end - start - 3) / 6.4 or start == LEFT else words.removeprefix("newest ")
        links = "registry windows queries"
        canvas.bracket(f"window {size}", start, y, max(end - start - 3, 30), text, links=links)
        y += REACH
    y += 2
    canvas.row("tuples", y + 10, fields)
    for place, (time, text) in enumerate(tuples.items()):
        x, style, says = LEFT + place * (width + 3), styles.get(time, "value"), f"the tuple of time {time}: {text}"
        canvas.cell(f"tuple {time}", x, y, width, text, f"t {time}", style=style, links=fields, says=says)
    return canvas, y + HEIGHT + 26


def draw_timegram(s: Any, local: Mapping[str, Any]) -> Scene:
    """Draw TimeGram; a tuple is shown by its bucket, because its value is gone."""
    names = {bucket.index: _interval(s.boundaries(bucket.index)) for bucket in s.buckets}
    tuples = {time: _interval(s.boundaries(index)) for time, index in enumerate(s.homes, s.now - len(s.homes) + 1)}
    canvas, y = _draw_tuples(tuples, s.registry.sizes, "homes now", {}, {})
    canvas.row("buckets", y + 10, "buckets")
    width = max([text_width(name, "", 54) for name in names.values()], default=54.0)
    floor = y + max([1, *(len(bucket.timestamps) for bucket in s.buckets)]) * 26 + 6
    for place, bucket in enumerate(s.buckets):
        x, name, style = LEFT + place * (width + 14), names[bucket.index], "in-A"
        for depth, time in enumerate(bucket.timestamps):
            says, stamp_y = f"the tuple that arrived at {time} is in {name}", floor - 26 * (depth + 1)
            canvas.cell(f"stamp {time}", x + 6, stamp_y, width - 12, f"t {time}", h=24, style="in-F",
                        links="buckets timestamps", says=says)  # fmt: skip
        if bucket is local.get("bucket"):
            style = "in-R"
        says = f"bucket {bucket.index}, {name}: {len(bucket.timestamps)} timestamps"
        canvas.cell(f"bucket {bucket.index}", x, floor + 2, width, name, h=28, style=style,
                    links="buckets index boundaries", says=says)  # fmt: skip
    says = f"{len(s.homes)} tuples in {len(s.buckets)} buckets of width {s.width}, time {s.now}"
    return canvas.compose(says, floor=floor + 44)


def _interval(ends: tuple[Any, Any]) -> str:
    return f"{ends[0]}…{ends[1]}"


def draw_ordered(s: Any, local: Mapping[str, Any]) -> Scene:
    """Draw OrderedSharing: the tree of windows with answers, and the windows outside, each valid or not."""
    visits = s.tree.visits
    answers = {w.ts: "in-R" for w in s.tree if s.within(w, w.size)}
    words = {size: f": {_standing(s, w)[0]}" for size, w in s.windows.items()}
    tuples = {time: str(v) for time, v in enumerate(s.tuples, s.currentTime - len(s.tuples) + 1)}
    canvas, y = _draw_tuples(tuples, s.registry.sizes, "tuples currentTime", answers, words)
    canvas.row("tree", y + 10, "tree")
    places = {w.size: place for place, w in enumerate(s.tree)}

    def draw(w: Any, place: int, top: float) -> None:
        standing, role = _standing(s, w)
        answer = "no answer" if w.answer is None else f"{w.answer} at {w.ts}" if w.ts >= 0 else f"({w.answer})"
        names = "".join(f" ← {name}" for name in ("w", "r") if local.get(name) is w)
        says = f"the window of the newest {w.size}: {answer}, {standing}"
        canvas.cell(f"node {w.size}", LEFT + place * (WINDOW + 12), top, WINDOW, f"{w.size}: {answer}{names}"[:17],
                    standing, h=52, style=role, links="windows tree answer ts size", place=str(w.size),
                    says=says)  # fmt: skip

    def walk(node: Any, top: float) -> float:
        """Draw the tree below a node; return the top of its lowest node."""
        lowest, x = top, LEFT + places[node.item.size] * (WINDOW + 12) + WINDOW / 2
        for child in filter(None, (node.left, node.right)):
            end = LEFT + places[child.item.size] * (WINDOW + 12) + WINDOW / 2
            canvas.edge(f"edge {child.item.size}", (x, top + 52), (end, top + 84), links="tree")
            lowest = max(lowest, walk(child, top + 84))
        draw(node.item, places[node.item.size], top)
        return lowest

    if s.tree.root is None:
        canvas.label("empty", LEFT, y + 10, "empty", links="tree")
        y += 40
    else:
        y = walk(s.tree.root, y) + 90
    out = [w for size, w in sorted(s.windows.items()) if size not in places]
    if out:
        canvas.row("not in it", y + 10, "windows")
    for place, w in enumerate(out):
        draw(w, place, y)
    valid = sum(s.valid(w) is not None for w in s.windows.values())
    s.tree.visits = visits  # drawing costs the algorithm nothing
    says = f"{len(s.windows)} windows, {valid} valid, {len(places)} in the tree, time {s.currentTime}"
    return canvas.compose(says, floor=y + 70)


def _standing(s: Any, w: Any) -> tuple[str, str]:
    """Return whether a window is valid, by its own answer or another's, and the role of its shape."""
    holder = s.valid(w)
    if holder is None:
        return "invalid", "in-B"
    return ("valid", "in-R") if holder is w else (f"answer of {holder.size}", "in-F")
