"""The kinds of window: for each the right answers, what to try, and how to speak of a history."""
