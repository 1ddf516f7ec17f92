"""`swagproof learn`: shows every algorithm step by step in a browser, on the source that is proved."""

import json
import webbrowser
from pathlib import Path

import click

from swagproof.learn.plays.repertoire import find_column, read_place
from swagproof.learn.serving.server import Server
from swagproof.oracle.trace import InputError


@click.command()
@click.option(
    "--port", default=0, show_default="any free one", type=click.IntRange(0, 65535), help="Port to listen on."
)
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="Open a browser.")
@click.option("--at", "place", help="Open this state: daba/iiie (three inserts, one evict), fiba/3,1,-3 (times).")
@click.option("--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the address as JSON.")
def learn(port: int, opens: bool, place: str | None, json_file: Path | None) -> None:
    """Show the algorithms step by step in a browser.

    The pictures come from the reference source that the proofs check.  The command starts a server that listens on this
    machine only and needs no network, and prints its address.  The server runs code typed into the page, so the address
    contains a secret token.  Ctrl-C stops the server and every process that it started.

    \b
    Examples:
      swagproof learn
      swagproof learn --at daba/iiie
    """
    try:
        find_column(read_place(place)[0] if place else "daba")
    except InputError as error:
        raise click.UsageError(f"--at {error}") from None
    try:
        server = Server(port)
    except OSError as error:
        raise click.UsageError(f"--port {port}: {error.strerror}; leave it out to use any free port") from None
    with server:
        address = server.address_of(place) if place else server.address
        click.echo(address)
        click.echo("Ctrl-C ends it.", err=True)
        if json_file is not None:
            json_file.write_text(json.dumps({"address": address}, indent=2) + "\n", encoding="utf-8")
        if opens:
            webbrowser.open(address)
        server.serve_forever()
