"""The manual's pictures of the explorer: `python docs/makers/screenshots.py [NAME ...]`, all or those named.

Each shows the page in Debian's Chromium at a state that a link opens: large and small, light and dark.  Check the
pictures by eye; the browser tests check the page itself.
"""

import json
import shutil
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from playwright.sync_api import Browser, Page, sync_playwright

from swagproof.learn.plays.play import with_elements
from swagproof.learn.plays.repertoire import PLAYS
from swagproof.learn.serving.server import Server

PLACE: Final = Path(__file__).parents[1] / "manual" / "pictures"


@dataclass(frozen=True)
class Picture:
    """A state of the page."""

    algorithm: str
    scenario: str
    size: int
    step: int
    shown: str = ".stage"
    """The part of the page to capture."""
    monoid: str = "letters"
    does: Callable[[Page], Any] = lambda page: None
    """The action before the capture."""
    width: int = 1100
    height: int = 900
    dark: bool = False
    large: bool = False


def find_mistake(page: Page) -> None:
    """Find the clause that a registered mutant breaks."""
    page.locator("#mutant").select_option("shrink swaps left and right")
    page.locator("#find").click()
    page.locator("#found", has_text="Broken invariant").wait_for(timeout=60_000)
    page.keyboard.press("End")


PICTURES: Final = {
    "daba": Picture("daba", "slide", 9, 86, "body", width=1600, height=1000),
    "fiba": Picture("fiba", "late by 2", 12, 2990),
    "buffer": Picture("reactive-aggregator", "slide", 6, 150, dark=True),
    "slicing": Picture("stream-slicing", "in order", 8, 212, monoid="sum"),
    "sharing": Picture("ordered-sharing", "look up", 8, 272, monoid="max"),
    "broken": Picture("daba", "fill", 4, 5, does=find_mistake, large=True, width=1280),
    "phone": Picture("two-stacks", "drain", 5, 30, "body", width=390, height=1300),
}
"""The pictures, by name."""


def take(browser: Browser, server: Server, name: str, picture: Picture) -> None:
    """Open the state, and write its picture."""
    scheme: Any = "dark" if picture.dark else "light"
    size: Any = {"width": picture.width, "height": picture.height}
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('token', {json.dumps(server.token)})")
    if picture.large:
        page.add_init_script("localStorage.setItem('large', '1')")
    play = PLAYS[picture.algorithm]
    scenario = next(each for each in play.scenarios if each.name == picture.scenario)
    history = with_elements(scenario.make(picture.size), play, picture.monoid)
    link = {"a": picture.algorithm, "m": picture.monoid, "h": history, "s": picture.step}
    page.goto(f"http://127.0.0.1:{server.server_port}/explorer.html#{quote(json.dumps(link))}")
    page.wait_for_selector("html[data-ready]", timeout=60_000)
    picture.does(page)
    page.wait_for_timeout(800)
    path = PLACE / f"{name}.png"
    if picture.shown == "body":
        page.screenshot(path=path)
    else:
        page.locator(picture.shown).screenshot(path=path)
    context.close()


def main(names: list[str]) -> None:
    """Take the pictures."""
    PLACE.mkdir(exist_ok=True)
    with Server() as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, picture in PICTURES.items():
            if not names or name in names:
                take(browser, server, name, picture)
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main(sys.argv[1:])
