"""A failing trace as a movie: a picture after each operation, in a page that needs nothing else.

Problem: the rooms that draw may import the oracle, not the other way round, and a page with a verdict runs nothing that
a subject could have had a hand in.  So a movie is data, pictures that are SVG already, which whoever composes a command
has made; here it becomes a list of pictures, which is all of it where no script runs; and one script, which the page's
policy names by its digest, shows them one at a time and moves what has the same name in both from its old place.
"""

from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from typing import Final


@dataclass(frozen=True)
class Frame:
    """A picture after an operation."""

    number: int
    """Its place in the trace, from 1."""
    operation: str
    expected: str
    got: str
    pictures: tuple[tuple[str, str], ...]
    """The name of each algorithm, and its state as SVG."""


@dataclass(frozen=True)
class Movie:
    """The frames of a trace, the last of which fails."""

    frames: tuple[Frame, ...]
    style: str
    """The style sheet of the pictures."""
    left_out: int = 0
    """Operations before the first frame, which are not drawn."""


STYLE: Final = """
.movie { padding: .25rem .5rem; }
.movie ol { list-style: none; padding: 0; } .movie h3 { font-size: 1rem; margin: .75rem 0 .25rem; }
.movie h3, .movie .answers { overflow-wrap: anywhere; } .movie figure { margin: .5rem 0; }
.movie figcaption { color: var(--quiet); } .movie .fails .answers { color: var(--bad); font-weight: bold; }
.movie .answers { min-height: 1.5em; margin: 0; } .movie svg { display: block; }
.movie .controls { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.movie .controls[hidden] { display: none; } .movie .controls input { flex: 1 1 10rem; }
.movie button { font: inherit; min-width: 5.5rem; padding: .25rem .75rem; }
.movie output { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media screen { .movie.on .shot:not(.now) { display: none; } }
@media print { .movie .controls { display: none; } }
""".strip()

SCRIPT: Final = """
"use strict";
(() => {
  const movie = document.querySelector(".movie");
  const frames = [...movie.querySelectorAll(".shot")];
  const [back, play, forward] = movie.querySelectorAll("button");
  const [place, said] = [movie.querySelector("input"), movie.querySelector("output")];
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const last = frames.length - 1;
  let now = 0, clock = 0;
  const shapes = (svg) => [...(svg ? svg.querySelectorAll("[data-id]") : [])];
  const move = (from, to) => {
    if (still.matches) return;
    to.querySelectorAll("svg").forEach((svg, at) => {
      const old = new Map(shapes(from.querySelectorAll("svg")[at]).map((each) => [each.dataset.id, each]));
      for (const shape of shapes(svg)) {
        const before = old.get(shape.dataset.id);
        const steps = before ? [before, shape].map((each) => ({ transform: each.style.transform }))
          : [{ opacity: 0 }, { opacity: 1 }];
        shape.animate(steps, { duration: 400, easing: "ease-in-out" });
      }
    });
  };
  const show = (next) => {
    const from = frames[now];
    now = Math.max(0, Math.min(last, next));
    frames.forEach((frame, at) => frame.classList.toggle("now", at === now));
    if (from !== frames[now]) move(from, frames[now]);
    place.value = now;
    said.textContent = frames[now].querySelector(".told").textContent;
    place.setAttribute("aria-valuetext", frames[now].querySelector("h3").textContent);
    if (now === last) stop();
  };
  const stop = () => { clearInterval(clock); clock = 0; play.textContent = "Play"; };
  const start = () => {
    if (now === last) show(0);
    clock = setInterval(() => show(now + 1), 1200);
    play.textContent = "Pause";
  };
  const turn = () => (clock ? stop() : start());
  const go = (next) => { stop(); show(next); };
  back.onclick = () => go(now - 1);
  forward.onclick = () => go(now + 1);
  play.onclick = turn;
  place.oninput = () => go(Number(place.value));
  movie.onkeydown = (event) => {
    if (event.target === place || event.altKey || event.ctrlKey || event.metaKey) return;
    const keys = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last };
    if (event.key in keys) go(keys[event.key]);
    else if (event.key === " " && event.target.tagName !== "BUTTON") turn();
    else return;
    event.preventDefault();
  };
  movie.classList.add("on");
  movie.querySelector(".controls").hidden = false;
  show(0);
})();
""".strip()

POLICY: Final = f"script-src 'sha256-{b64encode(sha256(SCRIPT.encode()).digest()).decode()}'"
"""The content security policy of a page with a movie: it allows this script, and no other."""


def render_movie(movie: Movie) -> str:
    """The part of a page that shows it."""
    last = len(movie.frames) - 1
    frames = "\n".join(_render_frame(frame, at == last) for at, frame in enumerate(movie.frames))
    first = f"<p>The first {movie.left_out:,} operations are not drawn.</p>\n" if movie.left_out else ""
    return (
        f"<h2>The failing trace, moving</h2>\n<style>\n{movie.style}\n{STYLE}\n</style>\n"
        '<section class="movie" tabindex="0" aria-label="The failing trace, moving">\n'
        "<p>What the reference holds after each operation. Keys: left, right, home, end, space.</p>\n"
        f'{first}<div class="controls" hidden><button type="button">Back</button>'
        '<button type="button">Play</button><button type="button">Forward</button>'
        f'<input type="range" min="0" max="{last}" value="0" aria-label="operation">'
        '<output aria-live="polite"></output></div>\n'
        f"<ol>\n{frames}\n</ol>\n</section>\n<script>{SCRIPT}</script>"
    )


def _render_frame(frame: Frame, fails: bool) -> str:
    answers = [f"{name} {text}" for name, text in (("expected", frame.expected), ("got", frame.got)) if text]
    told = ", ".join(answers) + (" (fails)" if fails else "")
    pictures = "".join(
        f'<figure><figcaption>{escape(name)}</figcaption><div class="wide" role="region" tabindex="0" '
        f'aria-label="{escape(f"{name} after operation {frame.number}")}">{svg}</div></figure>'
        for name, svg in frame.pictures
    )
    return (
        f'<li class="shot{" fails" if fails else ""}"><div class="told"><h3>{frame.number:,}. '
        f'<code>{escape(frame.operation)}</code></h3> <p class="answers">{escape(told)}</p></div>{pictures}</li>'
    )
