"""Hosts of a session: a server on this machine, or a page's worker."""
