"""Pictures of the structures: a function from a live state to a `Scene`, drawn as its paper draws it.

Add a scene, in four steps:

1. Write `def draw_x(s, local) -> Scene` in a module here.  `s` is the reference itself, read and never changed; its
   partial aggregates are `Product`s, which know what they are the product of; `local` has the local variables of the
   method that runs, by name, and under `callers` those of all methods that run.  Draw it on a `Canvas` (`scene.py`):
   `cell`, `value`, `pointer`, `bracket`, ...  A structure without a scene is drawn by its fields (`fields.py`).
2. Give every shape an id that stays the same while it stands for the same thing (the element, not its place): the page
   moves shapes from scene to scene by their ids, and knows nothing else of the structure.
3. Say in `links` which fields of the state a shape shows (a clause that reads `s.F` or `.agg` lights shapes that link
   `F` or `agg`), in `place` which place of a clause's range (`deque[@3]`), and in `says` what a reader is told.
4. Enter it in `DRAWN` (`gallery.py`) by the algorithm's class, and its algorithm in `tests/learn/test_scenes.py`.

Colour never stands alone: a role (`style`) has a name that is written somewhere in the scene.  Roles are in
`site/scene.css`.
"""
