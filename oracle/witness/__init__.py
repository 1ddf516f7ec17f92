"""From a trace that failed to what is shown of it: run again, made small, over letters."""
