"""Pictures of the structures: functions from a live state to a `Scene`, drawn as in the structure's paper.

To add a scene:

1. Write `def draw_x(s, local) -> Scene` in a module here.  `s` is the reference itself, which is read and never
   changed; its partial aggregates are `Product`s, which record their elements; `local` has the local variables of the
   running method, by name, and under `callers` those of all running methods.  Draw it on a `Canvas` (`scene.py`):
   `cell`, `value`, `pointer`, `bracket`, ...  A structure without a scene is drawn by its fields (`fields.py`).
2. Give every shape an id that stays the same while it stands for the same thing (the element, not its place): the page
   moves shapes from scene to scene by their ids, and knows nothing else of the structure.
3. Set `links` to the fields of the state that a shape shows (a clause that reads `s.F` or `.agg` highlights shapes that
   link `F` or `agg`), `place` to the place of a clause's range (`deque[@3]`), and `says` to the text for the reader.
4. Enter it in `DRAWN` (`gallery.py`) by the algorithm's class, and its algorithm in `tests/learn/test_scenes.py`.

Colour is never the only sign: the name of each role (`style`) is also written in the scene.  Roles are defined in
`site/scene.css`.
"""
