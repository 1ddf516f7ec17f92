"""The audit of another job's windowed results, compared with the reference: `swagproof audit`."""
