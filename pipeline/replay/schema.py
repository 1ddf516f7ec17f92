"""The tables that replaying writes, and those that go between its steps.

`VERDICTS` is the table that `swagproof replay --out` writes in Parquet: one row a trace, and one with a null trace for
all rows that name none.  Columns and meaning are those of `swagproof.pipeline.recordings.judges.Judged`:

| column | type | what |
|---|---|---|
| `trace` | string, nullable | the trace |
| `outcome` | string | `conforms`, `violated`, `error` or `unknown` |
| `problem` | string, nullable | one of `swagproof.pipeline.recordings.layout.PROBLEMS`; null where it conforms |
| `detail` | string, nullable | the problem in a sentence |
| `seq` | int64, nullable | where it is in the trace |
| `op` | string, nullable | the operation that was answered wrongly |
| `expected`, `got` | string, nullable | the right answer and the recorded one, as JSON text |
| `operations` | int64 | how many operations were judged |
| `queries` | int64 | how many answers were checked |
| `largest_window` | int64 | elements in the largest window |
| `rows` | int64 | rows of the trace |
| `repeated` | int64 | rows that came twice, and were the same |
| `bad` | int64 | rows that could not be judged |

`QUARANTINE` is what `--quarantine` writes: a row for each that could not be judged.

| column | type | what |
|---|---|---|
| `file` | string | where it stands |
| `trace` | string, nullable | as far as it says |
| `seq` | int64, nullable | likewise |
| `problem`, `detail` | string | why it could not be judged |
| `row` | string | the row itself: the line, or the cells as JSON text |
"""

from typing import Final

VERDICTS: Final = (
    "trace string, outcome string not null, problem string, detail string, seq bigint, op string, expected string, "
    "got string, operations bigint not null, queries bigint not null, largest_window bigint not null, "
    "rows bigint not null, repeated bigint not null, bad bigint not null"
)

QUARANTINE: Final = (
    "file string not null, trace string, seq bigint, problem string not null, detail string not null, "
    "row string not null"
)

READ: Final = "trace string, seq bigint, line binary"
"""JSON lines on their way to the judge, with enough to bring them together, and in order."""

ORDERED: Final = "line string not null"
"""The rows of one trace, in order, as JSON lines."""
