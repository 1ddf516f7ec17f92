"""From a failing trace to its report: repeated, minimised, and shown over letters."""
