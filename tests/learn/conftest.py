"""Fixtures for a browser and the explorer's server.  Without a browser, tests are skipped; under CI=true they fail."""

import os
import shutil
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from swagproof.learn.serving.server import Server

WIDTH, HEIGHT = 1280, 900


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        why = "no browser: apt-get install chromium"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """`swagproof learn` on a free port."""
    with Server() as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The page with DABA open.  An error in its console fails the test."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
    shown = context.new_page()
    errors: list[str] = []
    shown.on("pageerror", lambda error: errors.append(str(error)))
    shown.on("request", lambda request: None if "127.0.0.1" in request.url else errors.append(request.url))
    shown.goto(server.address)
    shown.goto(f"http://127.0.0.1:{server.server_port}/explorer.html")
    shown.wait_for_selector("html[data-ready]")
    yield shown
    context.close()
    assert errors == []
