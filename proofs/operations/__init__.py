"""Theorems about operations: Tables 1 and 2, compositions, and the laws that CrossHair confirms."""
