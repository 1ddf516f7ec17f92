"""Windows that several threads ask at the same time: those whose queries change what they share, and one that locks."""

import asyncio
import threading
from typing import Any

from subjects.right import ListWindow

from swagproof.oracle.adapting.declared import Adapter


class Readable(ListWindow):
    """A query of it changes nothing."""

    adapter = Adapter(readers=4)
    total: Any = None

    def add_up(self) -> Any:
        """The product of all, made up in a field that all queries share."""
        self.total = self.monoid.identity
        for v in self.values:
            self.total = self.monoid.combine(self.total, v)
        return self.total


class Locked(Readable):
    """It adds up in a field that all queries share, one after the other."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.lock = threading.Lock()

    def query(self) -> Any:
        with self.lock:
            return self.add_up()


class InPlace(Readable):
    """The same without the lock."""

    def query(self) -> Any:
        return self.add_up()


class CleanTooSoon(Readable):
    """It says that its cache is filled before it has filled it."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.dirty, self.total = False, monoid.identity

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.dirty = True

    def evict(self) -> None:
        super().evict()
        self.dirty = True

    def query(self) -> Any:
        if self.dirty:
            self.dirty = False
            self.total = super().query()
        return self.total


class FlipsInQueries(Readable):
    """A query moves what has come to the stack that is evicted from, as the other queries do."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.front: list[Any] = []

    def flip(self) -> None:
        """Nothing is left that has come."""
        while self.values:
            self.front.append(self.values.pop(0))

    def evict(self) -> None:
        self.flip()
        self.front.pop(0)

    def query(self) -> Any:
        self.flip()
        return self.product(self.front)


class SeldomInPlace(Readable):
    """Each 16th query adds up in a field that all share, which no short trace comes to by few queries."""

    queries = 0

    def query(self) -> Any:
        self.queries += 1
        return super().query() if self.queries % 16 else self.add_up()


class Awaited(Readable):
    """Its queries are awaited, and others' go on meanwhile."""

    async def query(self) -> Any:  # type: ignore[override]  # as who awaits answers has it
        await asyncio.sleep(0)
        return super().query()


class AwaitedInPlace(Readable):
    """The same, and what they add up in is shared."""

    async def query(self) -> Any:  # type: ignore[override]  # as who awaits answers has it
        self.total = self.monoid.identity
        for v in self.values:
            await asyncio.sleep(0)
            self.total = self.monoid.combine(self.total, v)
        return self.total
