"""`swagproof audit`: windowed results that somebody's job made of some events, held against the reference."""

import sys

sys.set_int_max_str_digits(0)  # a product of many integers has more digits than Python writes unasked
