"""Where a session runs: behind a server on this machine, or in a page's worker."""
