"""Which events a job may have counted, and what it may have read of them."""
