"""`swagproof learn`: see every algorithm move, in a browser, on the very source that is proved."""

import webbrowser

import click

from swagproof.learn.serving.server import Server


@click.command()
@click.option(
    "--port", default=0, show_default="any that is free", type=click.IntRange(0, 65535), help="Where to listen."
)
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="Open a browser.")
def learn(port: int, opens: bool) -> None:
    """See every algorithm move, in a browser, on the very source that is proved.

    It listens on this machine alone, needs no network, and prints the address to open, with a token that nobody else
    has: what is typed into the page is run.  Ctrl-C ends it, and all that it started.
    """
    try:
        server = Server(port)
    except OSError as error:
        raise click.UsageError(f"--port {port}: {error.strerror}; without it any free port is taken") from None
    with server:
        click.echo(server.address)
        click.echo("Ctrl-C ends it.", err=True)
        if opens:
            webbrowser.open(server.address)
        server.serve_forever()
