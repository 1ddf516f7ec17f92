"""The containers that other proofs replace by their definitions, held to these definitions themselves."""
