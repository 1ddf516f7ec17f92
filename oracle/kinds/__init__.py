"""The kinds of window: for each the expected results, the traces to try, and descriptions of histories."""
