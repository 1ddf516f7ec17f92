"""The symbolic engine: the reference's own code, run over Z3's terms along every path."""
