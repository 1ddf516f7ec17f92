from swagproof.proofs.ledger.loaded_code import note_what_is_loaded

if __name__ != "swagproof.proofs":
    raise ImportError("import swagproof.proofs, not proofs: the rooms are parts of one package")

note_what_is_loaded()  # before any other module of this room
