// The page: it asks Python, shows what it says, and moves through the recorded steps.

import { ask } from "./ask.js";
import { follow, remember } from "./follow.js";
import { showAsk } from "./operations.js";
import { reveal, shapes, showScene } from "./scene.js";
import { $, it, make, said } from "./state.js";
import { markOperation, pointAt, showClauses, showCosts, showLine, showOpened, showStrip } from "./text.js";

let playing = 0;
let pointed = -1; // the shape that the keyboard points at
const cache = new Map(); // what Python said of steps

// One action at a time: what it starts from (`opened`, `line`, `wanted()`) is what the one before it has left, on this
// side and on Python's.  What was typed after it was asked for stays typed.

let turn = Promise.resolve();
let asked = 0;
const typed = new Map(); // by the id of a field, its text and how many actions had been asked for
export function inTurn(action) {
  const mine = ++asked;
  const result = turn.then(() => {
    for (const [id, { before }] of typed) if (before < mine) typed.delete(id);
    return action();
  });
  turn = result.catch(() => {});
  return result;
}
document.addEventListener("input", ({ target }) => typed.set(target.id, { text: target.value, before: asked }));
export function keepTyped(...ids) {
  for (const id of ids) if (typed.has(id) && $(id)) $(id).value = typed.get(id).text;
}

// Asking

export function trouble(text) {
  $("trouble").hidden = !text;
  $("trouble").textContent = text ?? "";
}

// A message says which version of the history it is about.  Python may have lost it (a process that was ended opens
// nothing by itself), or have another: then it is opened again, and asked again.
export async function must(message, report = trouble) {
  const ofThis = () => (["catalogue", "open", "judge", "quiz"].includes(message.do) ? message : { ...message, version: it.line.version });
  let answer = await ask(ofThis());
  if (answer.stale && !(await reopen()).error) answer = await ask(ofThis());
  if (!answer.error) return answer;
  report(answer.error);
  if (answer.stopped) await reopen();
  return null;
}

export async function open(wanted, where = null, report = trouble) {
  stop();
  const answer = await must({ do: "open", ...wanted }, report);
  if (!answer) return false;
  trouble("");
  said("found", "");
  said("verdict", "");
  $("quiz").hidden = true;
  it.opened = answer;
  showOpened();
  takeTimeline(answer);
  await show(Number.isInteger(where) ? where : it.line.steps.length - 1, { still: true }); // a link may say anything
  return true;
}

export const wanted = (more = {}) => ({
  algorithm: it.opened.algorithm, monoid: it.opened.monoid, changes: it.opened.changed, history: it.line.history,
  options: Object.fromEntries(Object.entries(it.opened.options).map(([name, { value }]) => [name, value])), ...more,
});

const reopen = () => !it.opened ? { error: "nothing was open" } : ask(it.opened.algorithm ? { do: "open", ...wanted() } : { ...it.opened.asked, history: it.line.history });

export function takeTimeline(answer) {
  it.line = answer;
  zoom = 0;
  cache.clear();
  showStrip();
  showAsk();
}

// Moving

async function cached(message) {
  const key = Object.values(message).join(" ");
  if (cache.size > 400) cache.clear();
  const answer = cache.get(key) ?? (await must(message));
  if (answer) cache.set(key, answer);
  return answer;
}

// The steps that one moves through: the paper's lines, all lines, or the ends of operations.
function isShown([, , ends, broken, isPapers], number) {
  const detail = $("detail").value;
  return ends || (detail === "paper" ? isPapers : detail === "lines") || broken || number === 0;
}
const shownSteps = () => it.line.steps.flatMap((each, number) => (isShown(each, number) ? [number] : []));
const nextShown = (from) => it.line.steps.findIndex((each, number) => number >= from && isShown(each, number));
const lastShown = (to) => it.line.steps.findLastIndex((each, number) => number <= to && isShown(each, number));

export async function show(number, { still = false } = {}) {
  it.at = nextShown(Math.max(0, Math.min(number, it.line.steps.length - 1)));
  const all = shownSteps();
  const place = all.indexOf(it.at);
  $("time").max = all.length - 1;
  $("time").value = place;
  const answer = await cached({ do: "step", at: it.at });
  if (!answer) return;
  it.step = answer;
  const newsBeside = await showBeside();
  const news = showScene($("picture"), it.step.svg, { still });
  fit();
  const behavior = still || Number($("speed").value) < 0.5 || matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  reveal($("picture"), news, zoom, behavior);
  reveal($("beside-picture"), newsBeside, zoom, behavior);
  $("says").replaceChildren(...(it.step.operation >= 0 ? [make("b", {}, it.step.label), ": "] : []), it.step.says);
  $("state").textContent = it.step.state;
  $("where").textContent = `step ${place} of ${all.length - 1}`;
  $("time").setAttribute("aria-valuetext", `step ${place}: ${it.step.label}`);
  enable(["on", "last", "on-operation", "over"], it.at < it.line.steps.length - 1);
  enable(["back", "first", "back-operation"], it.at > 0);
  showLine();
  showClauses();
  showCosts();
  markOperation();
  remember();
}

// A button that is disabled loses the focus to nowhere: who works by keyboard goes on from Play.
function enable(ids, on) {
  if (!on && ids.includes(document.activeElement?.id)) $("play").focus();
  for (const id of ids) $(id).disabled = !on;
}

// Where the text that is open is not the reference's, the reference after the same operation stands beside it.
async function showBeside() {
  $("beside").hidden = !it.opened.algorithm || !Object.keys(it.opened.changed).length;
  if ($("beside").hidden) return [];
  const answer = await cached({ do: "beside", operation: it.step.operation });
  if (!answer) return [];
  $("beside-says").textContent = `The reference after this operation${it.step.operation < 0 ? "" : `: ${answer.says}`}. Cells that differ from it are marked.`;
  return showScene($("beside-picture"), answer.svg, { still: true });
}

// As large as there is room for, and no jumping: it grows back only when the history is another.
let zoom = 0;
function fit() {
  const box = $("picture");
  const svg = box.querySelector("svg");
  const [width, height] = ["width", "height"].map((name) => Number(svg.getAttribute(name)));
  box.parentElement.toggleAttribute("data-across", width < 1.6 * height);
  const most = document.documentElement.hasAttribute("data-large") ? 3 : 1.8;
  const heights = [box, ...($("beside").hidden ? [] : [$("beside-picture")])].map(({ clientHeight }) => clientHeight);
  const room = matchMedia("(min-width: 60rem)").matches ? Math.min(...heights) : innerHeight * 0.4;
  zoom = Math.max(0.65, Math.min(zoom || most, (box.clientWidth - 12) / width, (room - 12) / height));
  box.parentElement.style.setProperty("--zoom", String(zoom));
}
export function refit() {
  zoom = 0;
  if (it.step) fit();
}
window.addEventListener("resize", refit);

export const go = (move) => {
  stop();
  return inTurn(() => show(move()));
};
const isBeyond = (each, number) => number > it.at && isShown(each, number) && (each[1] <= it.line.steps[it.at][1] || each[2]);
const moves = {
  first: () => 0,
  last: () => it.line.steps.length - 1,
  back: () => lastShown(it.at - 1),
  on: () => it.at + 1,
  over: () => [it.line.steps.findIndex(isBeyond), it.line.steps.length - 1].find((number) => number >= 0),
  "back-operation": () => it.line.ends.findLast((end) => end < it.at) ?? 0,
  "on-operation": () => it.line.ends.find((end) => end > it.at) ?? it.line.steps.length - 1,
};

function setPlay(sign, word) {
  $("play").textContent = `${sign} ${word}`;
  $("play").setAttribute("aria-label", word);
}
export function stop() {
  clearTimeout(playing);
  playing = 0;
  setPlay("▶", "Play");
}

// How long a step stays: as long as its sentence takes to read, a quarter of a second a word, at the speed that is chosen.
// A line that has been read stays a third of that: most of its sentence is known.
const read = new Set();
function pace() {
  const line = `${it.step.function} ${it.step.line}`;
  const words = $("says").textContent.split(/\s+/).length;
  const reading = (500 + 250 * words) / (read.has(line) ? 3 : 1);
  read.add(line);
  return Number($("speed").value) * Math.max(900, reading);
}

export function play() {
  if (playing) return stop();
  if (it.at >= it.line.steps.length - 1) it.at = 0;
  if (it.at === 0) read.clear();
  setPlay("⏸", "Pause");
  const tick = async () => {
    await inTurn(() => (playing ? show(it.at + 1) : null));
    if (!playing) return;
    if (it.at >= it.line.steps.length - 1) return stop();
    playing = setTimeout(tick, pace());
  };
  playing = setTimeout(tick, 0);
}

const setSpeed = () => document.documentElement.style.setProperty("--pace", `${Math.min(400, 400 * Number($("speed").value))}ms`);
$("speed").onchange = setSpeed;
$("detail").onchange = () => go(() => it.at);

$("run-scenario").onclick = () => inTurn(async () => {
  const answer = await must({ do: "scenario", name: $("scenario").value, size: Number($("size").value) });
  if (answer) await open(wanted({ history: answer.operations }), 0);
});
$("undo").onclick = () => inTurn(() => open(wanted({ history: it.line.history.slice(0, -1) })));
$("clear").onclick = () => inTurn(() => open(wanted({ history: [] })));

// By mouse and by keyboard

for (const [id, move] of Object.entries(moves)) $(id).onclick = () => go(move);
$("play").onclick = play;
let wished = 0;
$("time").oninput = () => {
  const mine = ++wished;
  const place = Number($("time").value);
  stop();
  inTurn(() => (mine === wished ? show(shownSteps()[place], { still: true }) : null)); // of many wishes, the last
};
$("algorithm").onchange = ({ target: { value: algorithm } }) => inTurn(() => open({ algorithm, monoid: it.opened.monoid }));
$("monoid").onchange = ({ target: { value: monoid } }) => inTurn(() => open({ algorithm: it.opened.algorithm || "daba", monoid, changes: it.opened.changed, options: wanted().options }));

$("picture").onmouseover = (event) => pointAt(event.target.closest(".shape"));
$("picture").onmouseleave = () => pointAt(null);
$("picture").addEventListener("keydown", (event) => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  const all = shapes($("picture")).filter((shape) => shape.querySelector("title"));
  if (!all.length) return;
  pointed = (pointed + by + all.length) % all.length;
  pointAt(all[pointed]);
  $("says").textContent = all[pointed].querySelector("title").textContent;
  all[pointed].scrollIntoView({ block: "nearest", inline: "nearest" });
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input:not([type=range]):not([type=checkbox]), select, textarea") || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("#beside-picture, #carried-code")) return; // which the arrows scroll
  const key = (event.shiftKey ? "Shift+" : "") + (event.altKey ? "Alt+" : "") + event.key;
  const move = { ArrowLeft: "back", ArrowRight: "on", "Shift+ArrowLeft": "back-operation", "Shift+ArrowRight": "on-operation",
    "Alt+ArrowDown": "over", Home: "first", End: "last" }[key];
  if (move) {
    event.preventDefault();
    go(moves[move]);
  } else if (key === " " && !event.target.closest("button, summary, input[type=checkbox]")) {
    event.preventDefault();
    play();
  }
});

// Looks

const themes = ["system", "light", "dark"];
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $("theme").textContent = `Theme: ${theme}`;
  localStorage.setItem("theme", theme);
}
$("theme").onclick = () => setTheme(themes[(themes.indexOf(localStorage.getItem("theme") ?? "system") + 1) % 3]);
function setLarge(on) {
  document.documentElement.toggleAttribute("data-large", on);
  refit();
  $("large").setAttribute("aria-pressed", String(on));
  localStorage.setItem("large", on ? "1" : "");
}
$("large").onclick = () => setLarge(!document.documentElement.hasAttribute("data-large"));

async function start() {
  setTheme(localStorage.getItem("theme") ?? "system");
  setLarge(Boolean(localStorage.getItem("large")));
  setSpeed();
  it.catalogue = await must({ do: "catalogue" });
  if (!it.catalogue) return;
  $("mine").value = it.catalogue.examples.fifo;
  $("algorithm").replaceChildren(...it.catalogue.algorithms.map(({ slug, name }) => make("option", { value: slug }, name)));
  $("monoid").replaceChildren(...it.catalogue.monoids.map((name) => make("option", { value: name }, name)));
  await follow(location.hash);
  document.documentElement.dataset.ready = "";
}
// The address may have been written over by the time that it is its turn: the event says what it was.
window.addEventListener("hashchange", ({ newURL }) => inTurn(() => follow(new URL(newURL).hash)));
await inTurn(start);
