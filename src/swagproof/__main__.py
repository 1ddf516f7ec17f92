"""The `swagproof` command, run as `python -m swagproof`."""

from swagproof.cli import main

if __name__ == "__main__":
    main()
