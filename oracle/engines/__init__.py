"""Adapters that put windowed aggregations of other projects behind the interface of a subject.

`duckdb_frames`, `sqlite_frames`, `datafusion_frames`, `polars_frames`, `pandas_frames` and, of the pipeline,
`swagproof.pipeline.spark_frames` are judged by `--window frame`: a table and a frame at a time, as the engine computes
it.  `docs/manual/evidence/engines.md` has their verdicts.

`sqlite_window` and `pandas_rolling` are judged by `--window fifo`, over a stream that slides.  Each keeps every value
that was ever inserted, and at a query lets the engine slide a window of the present size over all of them: only so its
own incremental code, the thing to judge, does the work.  The answer is that of the last row.  An engine's window of no
rows: see each adapter for how it answers and what that is mapped to.
"""
