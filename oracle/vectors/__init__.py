"""Test vectors as files: what `swagproof vectors` writes, for a consumer in any language."""
