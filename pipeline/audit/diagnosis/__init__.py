"""Diagnosis: another definition that a job may have followed, which gives the results that are there."""
