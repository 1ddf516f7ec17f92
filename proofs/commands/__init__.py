"""The commands prove, errata, mutants and cost."""
