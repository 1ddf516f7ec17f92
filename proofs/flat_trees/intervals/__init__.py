"""Base intervals of windows of every size: their symbolic runs, and what is proved of them."""
