"""The explorer's local server: its files, and access to the sessions.

The server runs code that is typed into a page, so it must not run code that another site has a browser send here.  It
listens only on the loopback address.  It refuses a request that names another host (DNS rebinding) or comes from
another origin.  A message needs the token that is printed with the address, in a header, which no foreign page can read
or set.  The token is in the address behind `#`, so no server ever receives it in an address; the page stores it.  A
cookie would protect less, because all ports of a host share cookies.  A link to the page may contain code, and anyone
can lead a browser to a link: the page shows that code, and runs it only on request.
"""

import hmac
import json
import secrets
from contextlib import suppress
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from swagproof.learn.lectures.pages import render_pages
from swagproof.learn.serving.watched import Pages
from swagproof.learn.written import TABLES, read_table

LONGEST: Final = 1 << 20
"""The greatest length of a message, in bytes."""

TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}
"""The media types of the site's files."""

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Only the server's own files are allowed; inline styles position each shape."""


def site() -> Traversable:
    """The folder of the page."""
    return files("swagproof.learn") / "site"


class Server(ThreadingHTTPServer):
    """The explorer's server.  Raises OSError if the port is taken."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        for name in TABLES:  # now, before a page waits for an answer
            read_table(name)
        self.token = secrets.token_urlsafe(24)
        self.pages = Pages()

    @property
    def address(self) -> str:
        """Return the home page's address, with the token."""
        return f"http://127.0.0.1:{self.server_port}/#token={self.token}"

    def address_of(self, place: str) -> str:
        """Return the explorer's address at a place, such as `daba/iiie`, with the token."""
        return f"http://127.0.0.1:{self.server_port}/explorer.html#{place}&token={self.token}"

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The host names of this server."""
        return frozenset(f"{name}:{self.server_port}" for name in ("127.0.0.1", "localhost"))

    def server_close(self) -> None:
        """Stop listening, and end all started processes."""
        super().server_close()
        self.pages.stop()


class _Handler(BaseHTTPRequestHandler):
    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]  # a handler belongs to one
    protocol_version = "HTTP/1.1"
    server_version = "swagproof"
    sys_version = ""
    disable_nagle_algorithm = True  # otherwise an answer waits until the browser acknowledges its headers

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _send(self, status: HTTPStatus, body: bytes, kind: str = "text/plain; charset=utf-8") -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **HEADERS}.items():
            self.send_header(name, value)
        with suppress(BrokenPipeError, ConnectionResetError):  # the tab is closed
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self.close_connection = True
        self._send(status, f"{why}\n".encode())

    def parse_request(self) -> bool:
        """Refuse a request that names another host or comes from another origin."""
        if not super().parse_request():
            return False
        origin, hosts = self.headers.get("Origin"), self.server.hosts
        if self.headers.get("Host") in hosts and origin in (None, *(f"http://{host}" for host in hosts)):
            return True
        self._refuse(HTTPStatus.FORBIDDEN, "this server answers to its own page alone")
        return False

    def do_GET(self) -> None:
        """Serve a file of the page."""
        path = self.path.partition("?")[0].lstrip("/") or "index.html"
        kind = TYPES.get(path.rpartition(".")[2])
        known = {file.name: file for file in site().iterdir() if file.is_file()}
        made = render_pages() if path.endswith(".html") else {}
        if kind is None or path not in (*known, *made):
            return self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")
        body = made[path].encode() if path in made else known[path].read_bytes()
        return self._send(HTTPStatus.OK, body, kind)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        """Pass a message to a session."""
        given = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode(), self.server.token.encode()):
            return self._refuse(HTTPStatus.UNAUTHORIZED, "open the address that swagproof learn has printed")
        length = self.headers.get("Content-Length", "")
        if self.path != "/ask" or not (length.isascii() and length.isdigit()) or int(length) > LONGEST:
            return self._refuse(HTTPStatus.BAD_REQUEST, f"a message is sent to /ask, and has at most {LONGEST:,} bytes")
        try:
            asked = json.loads(self.rfile.read(int(length)))
            name, message = str(asked["page"]), asked["message"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return self._refuse(HTTPStatus.BAD_REQUEST, "a message is an object with page and message")
        answer = self.server.pages.ask(name, message)
        return self._send(HTTPStatus.OK, json.dumps(answer).encode(), TYPES["json"])
