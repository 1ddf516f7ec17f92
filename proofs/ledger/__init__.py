"""Claims: their kinds, how they are settled, and the wrong variants that each must reject."""
