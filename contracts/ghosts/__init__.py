"""Windows by definition, beside the algorithms: what the contracts compare with."""
