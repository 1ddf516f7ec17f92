"""A progress display on a terminal's standard error; nothing in a pipe.

All commands share this display.  rich is imported only on a terminal.
"""

import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Item = TypeVar("Item")


class Watched:
    """The progress of a running command."""

    def __init__(self, progress: "Progress | None" = None, task: "TaskID | None" = None) -> None:
        self._progress, self._task = progress, task

    def advance(self) -> None:
        """Count one more item as done."""
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task)

    def count(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items and count each as done."""
        for item in items:
            self.advance()
            yield item

    def tell(self, text: str, done: float | None = None) -> None:
        """Show the current activity, and how much of the work is done."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, description=text, completed=done)


@contextmanager
def show_progress(what: str, *, count: int | None = None, work: float | None = None) -> Generator[Watched]:
    """Show the current activity, with a bar if the number of items or the amount of work is known."""
    if not sys.stderr.isatty():
        yield Watched()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = [BarColumn()] if count is not None or work is not None else []
    columns = (SpinnerColumn(), *bar, *([MofNCompleteColumn()] if count is not None else []), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.description}"), console=Console(stderr=True), transient=True) as progress:
        yield Watched(progress, progress.add_task(what, total=work if count is None else count))
