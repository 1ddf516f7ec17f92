"""A picture shows the whole state: each field is a shape, whose id stays while it is the same thing."""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any, cast
from xml.etree import ElementTree

import pytest

from swagproof.learn.plays.repertoire import PLAYS
from swagproof.learn.products import Product, Tracked
from swagproof.learn.scenes.fields import draw_fields
from swagproof.learn.scenes.gallery import draw, drawing_of
from swagproof.learn.scenes.scene import Shape
from swagproof.learn.scenes.svg import render_scene
from swagproof.learn.serving.server import site
from swagproof.learn.session import Session
from swagproof.models.operations import CONCATENATION, MAX, SUM
from swagproof.models.windows.window import Event
from swagproof.reference.catalogue import DABA, DABA_LITE, TWO_STACKS, TWO_STACKS_LITE, Column
from swagproof.reference.flat_trees.base_intervals import BaseIntervals
from swagproof.reference.flat_trees.reactive_aggregator import ReactiveAggregator
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.related_work.slick_deque import SlickDeque
from swagproof.reference.related_work.stream_slicing import StreamSlicing
from swagproof.reference.sharing.ordered_sharing import OrderedSharing
from swagproof.reference.sharing.stream_sharing import NaiveStream
from swagproof.reference.sharing.timegram import TimeGram
from swagproof.reference.slicing.cutty import CountMarks, Cutty
from swagproof.reference.slicing.pairs import Pairs
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba


def played(column: Column, history: str) -> Any:
    """Return a window over products: a letter is inserted, `-` evicts."""
    monoid = Tracked(CONCATENATION)
    window = column.algorithm(monoid)
    for letter in history:
        if letter == "-":
            window.evict()
        else:
            window.insert(monoid.lift(letter, monoid.lifted))
    return window


def filled(
    algorithm: type[Any],
    values: Sequence[Any],
    *more: Any,
    times: Sequence[int] = (),
    sizes: Sequence[int] = (),
    of: Any = None,
) -> Any:
    """Return a window over products of these values, in this order, at these times, or with these sizes."""
    monoid: Any = Tracked(of or CONCATENATION)
    window = algorithm(monoid, *more)
    for size in sizes:
        window.register(size)
    for number, value in enumerate(values):
        at = [*times[number : number + 1]]
        window.insert(*at, monoid.lift(value, *(at or [number])))
    return window


def shapes_of(window: Any, **local: Any) -> dict[str, Shape]:
    """Return the shapes of its picture, by id."""
    return {shape.id: shape for shape in drawing_of(type(window))(window, local).shapes}


@pytest.mark.parametrize("column", [TWO_STACKS, TWO_STACKS_LITE, DABA, DABA_LITE], ids=lambda column: column.slug)
def test_every_partial_aggregate_is_in_the_picture_with_its_product(column: Column) -> None:
    window = played(column, "abc-de--fgh")
    scene = drawing_of(column.algorithm)(window, {})
    kept = [window.F, window.B] if column is TWO_STACKS else [window.deque]
    items = [items[depth] for items in kept for depth in range(items.size)] if column is TWO_STACKS else [*kept[0]]
    parts = [part for item in items for part in ((item,) if isinstance(item, Product) else (item.val, item.agg))]
    parts += [getattr(window, name) for name in ("aggB", "aggRA") if hasattr(window, name)]
    shown = sorted(shape.text for shape in scene.shapes if shape.kind == "cell")
    assert shown == sorted(part.text for part in parts)
    assert {part.span for part in parts} - {""} <= {shape.note for shape in scene.shapes}


@pytest.mark.parametrize("algorithm", [BTree, Fiba])
def test_every_node_of_a_tree_is_drawn_with_its_entries_its_aggregate_and_its_kind(algorithm: type[Any]) -> None:
    window = filled(algorithm, "eaicgbhdfjlk", times=(5, 1, 9, 3, 7, 2, 8, 4, 6, 10, 12, 11))
    window.evict(6)
    shapes = shapes_of(window, node=window.root.children[1])
    cells = {id: shape for id, shape in shapes.items() if shape.kind == "cell"}
    assert {id: each.text for id, each in cells.items() if id.startswith("entry")} == {
        f"entry {time}": value.text
        for node in window.nodes()
        for time, value in zip(node.times, node.values, strict=True)
    }
    aggs = [each for id, each in cells.items() if id.startswith("agg")]
    assert sorted(each.text for each in aggs) == sorted(node.agg.text for node in window.nodes())
    kinds = {each.note.partition(" ")[0] for each in aggs}
    assert kinds == ({"up"} if algorithm is BTree else {"up", "inner", "left", "right"})
    mark = shapes["pointer node"]
    frames = [shape for shape in shapes.values() if shape.kind == "frame" and shape.x < mark.x < shape.x + shape.w]
    assert any(shape.y <= mark.y < shape.y + shape.h for shape in frames)


def test_a_flat_tree_is_drawn_as_a_tree_and_as_an_array() -> None:
    monoid: Any = Tracked(CONCATENATION)
    window = ReactiveAggregator(monoid)
    tickets = [window.insert(monoid.lift(letter, number)) for number, letter in enumerate("abcde")]
    window.query()
    window.evict(tickets[2])
    texts = {id: shape.text for id, shape in shapes_of(window).items() if shape.kind == "cell"}
    array = [window.fat.T[slot] for slot in range(1, 2 * window.fat.n)]
    for kind in ("tree", "array"):
        drawn = [texts[f"{kind} {slot}"] for slot in range(1, 2 * window.fat.n)]
        assert drawn == [each.text if isinstance(each, Product) else "⊥" for each in array]
    assert texts["pending 3"] == "⊥"


def test_slices_stand_where_they_begin_and_windows_over_what_they_hold() -> None:
    window = filled(Pairs, "abegh", [(5, 3)], times=(0, 1, 4, 6, 7))
    shapes = shapes_of(window)
    slices = [shape for id, shape in shapes.items() if id.startswith("slice ")]
    assert [shape.text for shape in slices] == [held.partial.text for held in window.slices]
    unit = shapes["tick 7"].x - shapes["tick 6"].x
    for held, shape in zip(window.slices, slices, strict=True):
        assert shape.x == shapes[f"tick {held.begin}"].x + 1
        assert shape.w == unit * (2 if held.begin % 3 == 0 else 1) - 3
    opened = [shape.text for id, shape in shapes.items() if id.startswith("window ")]
    assert opened == ["window 1 [3, 8)", "window 2 [6, 11)"]


def test_what_shared_windows_keep_is_drawn() -> None:
    shared, gram = OrderedSharing[int](), TimeGram(0, 10, 5)
    for size in (2, 4, 7):
        shared.register(size)
        gram.register(size)
    for value in (3, 1, 9, 1, 5, 2, 6, 4):
        shared.insert(value)
        gram.insert(value)
        shared.lookup(2)
        visits = shared.tree.visits
        shapes = shapes_of(shared)
        assert shared.tree.visits == visits  # drawing costs nothing
        assert [shapes[f"node {w.size}"].x for w in shared.tree] == sorted(
            shapes[f"node {w.size}"].x for w in shared.tree
        )
        for size, window in shared.windows.items():
            assert (shapes[f"node {size}"].note == "invalid") == (shared.valid(window) is None)
        assert [s.text for id, s in shapes.items() if id.startswith("tuple ")] == [str(v) for v in shared.tuples]
    shapes = shapes_of(gram)
    for bucket in gram.buckets:
        for time in bucket.timestamps:
            assert shapes[f"stamp {time}"].x == shapes[f"bucket {bucket.index}"].x + 6


def late_slices() -> Any:
    return filled(StreamSlicing, (1, 2, 4, 3, 8), [(6, 2)], (3,), times=(1, 2, 4, 3, 8), of=SUM)


def test_late_slices_stand_from_their_first_record_to_their_last_and_cutty_s_where_they_are_kept() -> None:
    late, monoid = late_slices(), cast(Any, Tracked(SUM))
    late.advance(4)
    shapes = shapes_of(late)
    for begin, last in zip(late.begins, late.lasts, strict=True):
        assert shapes[f"slice {begin}"].x == shapes[f"tick {begin}"].x + 1
        assert shapes[f"slice {begin}"].w == shapes[f"tick {last + 1}"].x - shapes[f"tick {begin}"].x - 3
    assert shapes["pointer watermark"].x == shapes["tick 4"].x
    cutty: Any = Cutty(monoid, [CountMarks(6, 2)])
    for number in range(9):
        cutty.insert(Event(None, number), monoid.lift(number, number))
    shapes = shapes_of(cutty)
    for number in range(cutty.store.first, cutty.store.last + 1):
        assert shapes[f"slice {number}"].text == cutty.store.slice(number).text
    assert shapes[f"slice {cutty.number}"].text == cutty.active.text


def test_the_pointers_stand_where_they_point() -> None:
    window = played(DABA, "abcdef--")
    shapes = shapes_of(window)
    cells = {id: shape.x for id, shape in shapes.items() if id.startswith("val ")}
    pointers = {shape.text: shape for shape in shapes.values() if shape.kind == "pointer"}
    assert {*pointers} == {*"FLRABE"}
    for name in "FLRAB":
        place = getattr(window, name) - window.deque.begin()
        if place < len(window.deque):
            assert pointers[name].x == cells[f"val {2 + place}"] + 10


def test_ids_are_unique_and_stay_while_an_element_stays() -> None:
    before, after = (drawing_of(Daba)(played(DABA, history), {}) for history in ("abcdef", "abcdef-"))
    ids = [{shape.id for shape in scene.shapes} for scene in (before, after)]
    assert all(len(scene.shapes) == len(names) for scene, names in zip((before, after), ids, strict=True))
    assert {f"val {number}" for number in range(1, 6)} <= ids[0] & ids[1]


def test_a_broken_state_is_drawn_in_plain() -> None:
    window = played(DABA, "abc")
    del window.L
    window.R = None
    scene = draw(drawing_of(Daba), window, {})
    assert scene.says.startswith("not as it should be")


def test_a_picture_is_xml_whatever_it_holds() -> None:
    monoid: Any = Tracked(CONCATENATION)
    window = Daba[Product](monoid)
    window.insert(monoid.lift("<script>&\"'", 0))
    for scene in (drawing_of(Daba)(window, {}), draw_fields(window, {})):
        picture = render_scene(scene)
        assert "<script>" not in picture
        assert ElementTree.fromstring(picture).tag.endswith("svg")


def test_every_role_has_a_style() -> None:
    roles: set[str] = set()
    for slug in PLAYS:
        session = Session()
        answer = session.handle({"do": "open", "algorithm": slug})
        for end in answer["ends"]:
            svg = session.handle({"do": "step", "at": end})["svg"]
            roles |= {name for names in re.findall(r'class="shape ([^"]+)"', svg) for name in names.split()}
    plain = {"cell", "value", "field", "label", "stacked"}
    style = (site() / "scene.css").read_text(encoding="utf-8")
    assert {role for role in roles - plain if f".{role}" not in style} == set()


def test_what_has_no_picture_of_its_own_is_drawn_by_its_fields_a_list_of_lists_in_rows() -> None:
    window = filled(BaseIntervals, "abcdefghijk")
    shapes = shapes_of(window)
    rows = {f"levels[{level}]": [held.text for held in row] for level, row in enumerate(window.levels)}
    assert {
        name: [s.text for id, s in shapes.items() if re.fullmatch(rf"{re.escape(name)} \d+", id)] for name in rows
    } == rows
    window = filled(SlickDeque, (9, 4, 2, 3, 1), of=MAX)
    kept = [shape for id, shape in shapes_of(window).items() if id.startswith("candidates ")]
    assert [shape.text for shape in kept] == [each.value.text for each in window.candidates]
    assert [shape.note for shape in kept] == [f"position {each.position}" for each in window.candidates]
    assert kept[0].place == "candidates[0]"
    assert {"candidates", "position", "value"} == {*kept[0].links.split()}
    query = shapes_of(filled(NaiveStream, "abc", sizes=(2,)))
    assert [query[f"queries[0].input_queue {place}"].text for place in range(2)] == ["b", "c"]


@pytest.mark.parametrize("slug", ["flat-fit", "slick-deque", "base-intervals"])
def test_no_line_of_a_later_algorithm_has_a_picture_that_fails(slug: str) -> None:
    session = Session()
    session.handle({"do": "open", "algorithm": slug})
    for name in ("slide", "drain"):
        history = session.handle({"do": "scenario", "name": name, "size": 6})["operations"]
        steps = session.handle({"do": "open", "algorithm": slug, "history": history})["steps"]
        for number in range(len(steps)):
            said = session.handle({"do": "step", "at": number})
            ids = re.findall(r'data-id="([^"]+)"', said["svg"])
            assert len(ids) == len(set(ids))
            assert not said["state"].startswith("not as it should be"), (number, said["state"])


def test_what_lies_far_apart_in_time_is_told_in_plain() -> None:
    session = Session()
    history = [["insert", 1, 1], ["insert", 100_000, 2], ["insert", 5, 3]]
    answer = session.handle({"do": "open", "algorithm": "stream-slicing", "monoid": "sum", "history": history})
    shown = session.handle({"do": "step", "at": len(answer["steps"]) - 1})
    assert "more than 200 units of time" in shown["state"]
    assert len(shown["svg"]) < 50_000


@pytest.mark.parametrize("slug", ["b-tree", "fiba"])
@pytest.mark.parametrize("scenario", ["late by 9", "middle out"])
@pytest.mark.drawn(2)
def test_no_entry_vanishes_while_nodes_are_split_merged_and_moved(slug: str, scenario: str) -> None:
    session = Session()
    session.handle({"do": "open", "algorithm": slug})
    history = session.handle({"do": "scenario", "name": scenario, "size": 7})["operations"]
    steps = session.handle({"do": "open", "algorithm": slug, "history": history})["steps"]
    windows = [set[int]()]  # after each operation
    for name, *arguments in history:
        times = {*arguments[:1]}
        windows.append(windows[-1] | times if name == "insert" else windows[-1] - times)
    for at, (operation, *_) in enumerate(steps):
        held = windows[max(operation, 0)] & windows[operation + 1]
        said = session.handle({"do": "step", "at": at})
        ids = re.findall(r'data-id="([^"]+)"', said["svg"])
        assert len(ids) == len({*ids}), (at, said["says"])
        assert {f"entry {time}" for time in held} <= {*ids}, (at, said["says"])


def test_words_stand_in_the_heads_of_nodes_where_no_edge_goes() -> None:
    window = filled(Fiba, "abcdefghijkl", times=range(12))
    local = {"node": window.root.children[1], "parent": window.root, "top": window.left_finger}
    shapes = [*shapes_of(window, **local).values()]
    frames = [shape for shape in shapes if shape.kind == "frame"]
    variables = [shape for shape in shapes if shape.kind == "pointer" and "variable" in shape.style]
    assert {shape.text for shape in variables} == {*local}
    for shape in variables:
        half = 3.6 * len(shape.text)
        assert any(f.x <= shape.x - half and shape.x + half <= f.x + f.w and f.y == shape.y for f in frames)
    for line in (shape for shape in shapes if shape.kind == "edge"):
        assert any(frame.y + frame.h == line.y for frame in frames)
        assert any(frame.y == line.y + line.h for frame in frames)


def test_windows_that_do_not_overlap_share_a_row() -> None:
    windows = [shape for shape in shapes_of(late_slices()).values() if shape.kind == "bracket"]
    assert len({shape.y for shape in windows}) == 4 < len(windows)
    for one, other in combinations(windows, 2):
        assert one.y != other.y or one.x + one.w <= other.x or other.x + other.w <= one.x
