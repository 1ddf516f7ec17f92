"""The parts of a report on a verdict: coverage, the failing trace row by row, and the report itself."""
