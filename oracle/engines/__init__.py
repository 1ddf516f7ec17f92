"""Adapters that put windowed aggregations of other projects behind the interface of a subject.

Each keeps every value that was ever inserted, and at a query lets the engine slide a window of the present size over
all of them: only so its own incremental code, the thing to judge, does the work.  The answer is that of the last row.

An engine's window of no rows: see each adapter for how it answers and what that is mapped to.
"""
