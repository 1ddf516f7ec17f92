"""The command line, composed of the rooms."""

import click


@click.group()
def main() -> None:
    """swagproof."""
