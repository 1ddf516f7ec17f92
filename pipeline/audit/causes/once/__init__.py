"""What happened once, or to some windows: no rule of the job that is wrong."""
