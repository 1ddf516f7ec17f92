"""Adapters that give windowed aggregations of other projects the interface of a subject.

`duckdb_frames`, `sqlite_frames`, `datafusion_frames`, `polars_frames`, `pandas_frames` and, in the pipeline,
`swagproof.pipeline.spark_frames` are judged with `--window frame`: the engine computes one frame over one table at a
time.  `docs/manual/evidence/engines.md` has their verdicts.

`sqlite_window` and `pandas_rolling` are judged with `--window fifo`, over a stream.  Each keeps every inserted value.
At a query the engine slides a window of the present size over all of them, so that its own incremental code does the
work, and the answer is that of the last row.  Each adapter documents how it maps the engine's result for an empty
window.
"""
