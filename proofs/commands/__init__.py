"""The commands of this room: prove, errata, variants, cost."""
