"""The commands of this room: prove, errata, mutants, cost."""
