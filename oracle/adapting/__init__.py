"""Adapters: declare the method names, constructor arguments and answers of a subject, and call it accordingly."""
