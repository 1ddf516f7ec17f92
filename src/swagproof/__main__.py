"""`python -m swagproof` is the `swagproof` command."""

from swagproof.cli import main

if __name__ == "__main__":
    main()
