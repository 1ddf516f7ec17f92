"""Test vectors as files: the output of `swagproof vectors`, for a consumer in any language."""
