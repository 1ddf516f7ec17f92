"""Diagnosis: a search for another definition that explains the job's results."""
