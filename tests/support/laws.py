"""Laws for the tests of CrossHair's runs: right ones, wrong ones, and one whose precondition nothing meets."""


def adding_commutes(a: int, b: int) -> bool:
    """post: _"""
    return a + b == b + a


def multiplying_commutes(a: int, b: int) -> bool:
    """
    pre: a > 0
    post: _
    """
    return a * b == b * a


def no_step_of_two_leaves_the_ten(offset: int) -> bool:
    """
    pre: 0 <= offset < 9
    post: _
    """
    return offset + 2 < 10


def dividing_undoes_multiplying(a: int, b: int) -> bool:
    """post: _"""
    return a * b // a == b


def nothing_is_below_and_above(a: int) -> bool:
    """
    pre: a < 0
    pre: a > 0
    post: _
    """
    return a == 0


def no_law(a: int) -> bool:
    """Return True."""
    return a == a


constant = 1
"""No function."""
