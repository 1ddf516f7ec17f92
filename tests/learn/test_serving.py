"""The server answers only its own page, and ends all processes that a page has started."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from typing import Any

import pytest

from swagproof.learn.serving import watched
from swagproof.learn.serving.server import Server
from swagproof.learn.serving.watched import Page


def request(server: Server, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    sent = None if body is None else json.dumps(body)
    connection.request(method, path, sent, {name.replace("_", "-"): value for name, value in headers.items()})
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, text, reply.headers


def test_it_listens_on_the_loopback_address_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_its_files_are_there_and_the_browser_is_told_to_load_nothing_else(server: Server) -> None:
    status, text, headers = request(server, "GET", "/")
    assert (status, "<h1>" in text) == (200, True)
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert not re.search(r'(src|href)="(https?:)?//', text)


@pytest.mark.parametrize("path", ["/../session.py", "/%2e%2e/session.py", "/session.py", "/site/", "//etc/passwd"])
def test_nothing_but_the_site_is_served(server: Server, path: str) -> None:
    assert request(server, "GET", path)[0] == 404


def test_a_foreign_host_or_origin_is_refused(server: Server) -> None:
    body = {"page": "p", "message": {"do": "catalogue"}}
    token = f"Bearer {server.token}"
    assert request(server, "GET", "/", Host="example.org")[0] == 403
    assert (
        request(server, "POST", "/ask", body, Authorization=token, Host=f"example.org:{server.server_port}")[0] == 403
    )
    assert request(server, "POST", "/ask", body, Authorization=token, Origin="http://example.org")[0] == 403
    assert request(server, "POST", "/ask", body, Authorization=token, Origin="null")[0] == 403
    ours = f"http://127.0.0.1:{server.server_port}"
    assert request(server, "POST", "/ask", body, Authorization=token, Origin=ours)[0] == 200


@pytest.mark.parametrize("token", ["", "Bearer ", "Bearer wrong", "Bearer é"])
def test_without_the_token_nothing_is_run(server: Server, token: str) -> None:
    body = {"page": "p", "message": {"do": "catalogue"}}
    assert request(server, "POST", "/ask", body, Authorization=token.encode("latin-1").decode("latin-1"))[0] == 401


def test_a_message_that_is_none_is_refused(server: Server) -> None:
    token = f"Bearer {server.token}"
    assert request(server, "POST", "/ask", [1], Authorization=token)[0] == 400
    assert request(server, "POST", "/other", {}, Authorization=token)[0] == 400


def test_a_page_whose_code_never_ends_is_stopped_and_goes_on_in_a_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page()
    assert page.ask({"do": "catalogue"})["algorithms"]
    monkeypatch.setattr(watched, "PATIENCE", 3.0)
    try:
        answer = page.ask({"do": "judge", "source": "while True: pass"})
        assert answer["stopped"] is True
        assert "nothing was heard of it for 3 seconds; it may never end" in answer["error"]
        monkeypatch.undo()
        assert page.ask({"do": "catalogue"})["algorithms"]
    finally:
        page.stop()


def test_what_a_page_prints_does_not_answer_for_it() -> None:
    page = Page()
    try:
        names = {"Daba.insert": "    def insert(self, v):\n        print('{}')\n"}
        message = {"do": "open", "algorithm": "daba", "changes": names, "history": [["insert", "a"]]}
        assert page.ask(message)["name"] == "DABA"
    finally:
        page.stop()


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.drawn(1)
def test_ctrl_c_ends_it_and_all_that_it_started(sent: signal.Signals, code: int) -> None:
    command = [sys.executable, "-m", "swagproof", "learn", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.match(r"http://127\.0\.0\.1:(\d+)/#token=(\S+)", process.stdout.readline())
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
        body = json.dumps({"page": "p", "message": {"do": "catalogue"}})
        connection.request("POST", "/ask", body, {"Authorization": f"Bearer {found[2]}"})
        assert connection.getresponse().status == 200
        children = _children(process.pid)
        assert children
        process.send_signal(sent)
        assert process.wait(30) == code
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)


def _children(parent: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]
