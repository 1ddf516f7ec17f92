"""Windows cut at the borders of the calendar, of another clock or of what a run reads."""
