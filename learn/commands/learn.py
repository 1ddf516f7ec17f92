"""`swagproof learn`: see every algorithm move, in a browser, on the very source that is proved."""

import json
import webbrowser
from pathlib import Path

import click

from swagproof.learn.export import export
from swagproof.learn.plays.places import read_place
from swagproof.learn.plays.repertoire import find_column
from swagproof.learn.serving.server import Server
from swagproof.oracle.trace import InputError


@click.command()
@click.option("--port", default=0, show_default="any free one", type=click.IntRange(0, 65535), help="Where to listen.")
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="Open a browser.")
@click.option("--at", "place", help="Open the explorer at a place that a lecture names: daba/iiie, fiba/3,1,-3.")
@click.option("--export", "folder", type=click.Path(path_type=Path, file_okay=False), help="Write a static site here.")
@click.option("--runtime", help="Of the site: an unpacked npm package pyodide, or the address of one.")
@click.option("--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), help="Write what was made here.")
def learn(
    port: int, opens: bool, place: str | None, folder: Path | None, runtime: str | None, json_file: Path | None
) -> None:
    """See every algorithm move, in a browser, on the very source that is proved.

    It listens on this machine alone, needs no network, and prints the address to open, with a token that nobody else
    has: what is typed into the page is run.  Ctrl-C ends it, and all that it started.

    With --export it writes the same page as a static site, with Python in the browser, to be served from anywhere.
    """
    if folder is not None:
        if runtime is None:
            raise click.UsageError("--export needs --runtime: the folder of an npm package pyodide (npm pack pyodide)")
        try:
            size = export(folder, runtime)
        except (InputError, OSError) as error:
            raise click.UsageError(str(error)) from None
        click.echo(f"{folder}: {size / 1e6:.1f} MB; serve it with any file server, such as python -m http.server")
        _write(json_file, {"folder": str(folder), "bytes": size})
        return
    try:
        find_column(read_place(place)[0] if place else "daba")
    except InputError as error:
        raise click.UsageError(f"--at {error}") from None
    try:
        server = Server(port)
    except OSError as error:
        raise click.UsageError(f"--port {port}: {error.strerror}; without it any free port is taken") from None
    with server:
        address = server.address_of(place) if place else server.address
        click.echo(address)
        click.echo("Ctrl-C ends it.", err=True)
        _write(json_file, {"address": address})
        if opens:
            webbrowser.open(address)
        server.serve_forever()


def _write(file: Path | None, made: dict[str, object]) -> None:
    if file is not None:
        file.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
