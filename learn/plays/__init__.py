"""How each algorithm is played: what can be asked of it, over which elements, and the scenarios that show it."""
