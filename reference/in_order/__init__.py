"""The in-order algorithms of 2021: Two-Stacks, DABA, their Lite forms, and those that they are compared with."""
