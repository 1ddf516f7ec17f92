"""The static site: the same page from a plain file server, with Python in the browser."""

import os
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from manual import fetch_runtime
from playwright.sync_api import Browser, expect

from swagproof.learn.export import RUNTIME, export
from swagproof.oracle.trace import InputError


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked npm package, from $PYODIDE or fetched.  Skipped if it is unavailable; under CI=true that fails."""
    if given := os.environ.get("PYODIDE"):
        return Path(given)
    place = tmp_path_factory.mktemp("pyodide")
    try:
        return fetch_runtime(place)
    except (OSError, subprocess.TimeoutExpired) as error:
        why = f"no runtime: {error}"
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="session")
def exported(runtime: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an exported site, on a plain file server."""
    place = tmp_path_factory.mktemp("site")
    assert export(place, runtime) < 20_000_000
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(place))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/explorer.html"
        server.shutdown()
        thread.join()


@pytest.mark.drawn(0)
def test_the_static_site_plays_finds_a_mistake_and_survives_an_endless_loop(browser: Browser, exported: str) -> None:
    page = browser.new_page(reduced_motion="reduce")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(exported)
    page.wait_for_selector("html[data-ready]", timeout=180_000)
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("#says")).to_contain_text("evict")
    expect(page.locator("#picture .pointer")).to_have_count(6)
    page.locator("#mutant").select_option("shrink swaps left and right")
    page.get_by_role("button", name="Find what it breaks").click()
    expect(page.locator("#found")).to_contain_text("Broken invariant: aggregates", timeout=60_000)
    page.get_by_role("button", name="Restore the reference").click()
    page.locator("#function").select_option("Daba.insert")
    page.locator("#source").fill("    def insert(self, v):\n        while True: pass\n")
    page.get_by_role("button", name="Run this text").click()
    expect(page.locator("#mistake")).to_contain_text("Daba.insert", timeout=60_000)
    page.keyboard.press("End")
    expect(page.locator("#says")).to_contain_text("it may never end")
    page.get_by_role("button", name="Restore the reference").click()
    expect(page.locator("#mistake")).to_be_hidden(timeout=180_000)
    mine = page.locator("#mine").input_value()
    page.locator("#mine").fill(mine.replace("self.front.pop()", "while True: pass"))
    page.get_by_role("button", name="Judge it").click()
    expect(page.locator("#verdict")).to_contain_text("evict did not return", timeout=120_000)
    page.keyboard.press("End")
    expect(page.locator("#strip button").last).to_have_class("bad")
    expect(page.locator("#says")).to_contain_text("it may never end")
    page.locator("#mine").fill("while True: pass")
    page.get_by_role("button", name="Judge it").click()
    expect(page.locator("#verdict")).to_contain_text("it may never end", timeout=90_000)
    page.keyboard.press("Home")
    expect(page.locator("#where")).to_contain_text("step 0 of", timeout=180_000)
    assert {url for url in requests if not url.startswith(exported.removesuffix("explorer.html"))} == set()
    page.close()


def test_a_runtime_that_is_none_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"there is no {RUNTIME[0]}; give the folder of an unpacked npm package"):
        export(tmp_path / "site", tmp_path)
    assert not (tmp_path / "site").exists()
