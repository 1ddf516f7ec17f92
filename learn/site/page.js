// The page: it asks Python, shows what it says, and moves through the recorded steps.  No state of an algorithm is here.

import { ask } from "./ask.js";
import { EXAMPLES, OWN_MONOID } from "./examples.js";
import { isText, readLink, writeLink } from "./links.js";
import { reveal, shapes, showScene } from "./scene.js";

const $ = (id) => document.getElementById(id);
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

let catalogue = null; // what there is to open
let opened = null; // what Python said of the algorithm that is open
let line = { steps: [], ends: [], history: [] }; // its timeline
let at = 0; // the step that is shown
let step = null; // what Python said of it
let playing = 0;
let pointedClause = null;
let pointed = -1; // the shape that the keyboard points at
const cache = new Map();

// One action at a time: what it starts from (`opened`, `line`, `wanted()`) is what the one before it has left, on this
// side and on Python's.  What was typed after it was asked for stays typed.

let turn = Promise.resolve();
let asked = 0;
const typed = new Map(); // by the id of a field, its text and how many actions had been asked for
function inTurn(action) {
  const mine = ++asked;
  const result = turn.then(() => {
    for (const [id, { before }] of typed) if (before < mine) typed.delete(id);
    return action();
  });
  turn = result.catch(() => {});
  return result;
}
document.addEventListener("input", ({ target }) => typed.set(target.id, { text: target.value, before: asked }));
function keepTyped(...ids) {
  for (const id of ids) if (typed.has(id) && $(id)) $(id).value = typed.get(id).text;
}

// Asking

function trouble(text) {
  $("trouble").hidden = !text;
  $("trouble").textContent = text ?? "";
}

// A message says which version of the history it is about.  Python may have lost it (a process that was ended opens
// nothing by itself), or have another: then it is opened again, and asked again.
async function must(message, report = trouble) {
  const ofThis = () => (["catalogue", "curve", "open", "judge"].includes(message.do) ? message : { ...message, version: line.version });
  let answer = await ask(ofThis());
  if (answer.stale && !(await reopen()).error) answer = await ask(ofThis());
  if (!answer.error) return answer;
  report(answer.error);
  if (answer.stopped) await reopen();
  return null;
}

async function open(wanted, where = null) {
  stop();
  const answer = await must({ do: "open", ...wanted });
  if (!answer) return false;
  trouble("");
  opened = answer;
  showOpened();
  takeTimeline(answer);
  await show(Number.isInteger(where) ? where : line.steps.length - 1, { still: true }); // a link may say anything
  return true;
}

const wanted = (more = {}) => ({
  algorithm: opened.algorithm, monoid: opened.monoid, own: opened.own, changes: opened.changed, history: line.history,
  right: "history" in more ? 0 : opened.right,
  witnessed: "history" in more || "changes" in more ? null : opened.witnessed,
  options: Object.fromEntries(Object.entries(opened.options).map(([name, { value }]) => [name, value])), ...more,
});

const reopen = () => !opened ? { error: "nothing was open" } : ask(opened.algorithm ? { do: "open", ...wanted() } : { ...opened.asked, history: line.history, witnessed: opened.witnessed });

function takeTimeline(answer) {
  line = answer;
  zoom = tallest = 0;
  cache.clear();
  $("time").max = line.steps.length - 1;
  showStrip();
  showAsk();
}

// Moving

async function fetchStep(number) {
  if (!cache.has(number)) {
    if (cache.size > 400) cache.clear();
    const answer = await must({ do: "step", at: number });
    if (!answer) return null;
    cache.set(number, answer);
  }
  return cache.get(number);
}

async function show(number, { still = false } = {}) {
  at = Math.max(0, Math.min(number, line.steps.length - 1));
  $("time").value = at;
  const answer = await fetchStep(at);
  if (!answer) return;
  step = answer;
  const newsBeside = await showBeside();
  const news = showScene($("picture"), step.svg, { still });
  fit();
  const behavior = still || pace() < 600 || matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  reveal($("picture"), news, zoom, behavior);
  reveal($("beside-picture"), newsBeside, zoom, behavior);
  $("says").textContent = `${step.operation >= 0 ? step.label + ": " : ""}${step.says}`;
  $("state").textContent = step.state;
  $("where").textContent = `step ${at} of ${line.steps.length - 1}`;
  $("time").setAttribute("aria-valuetext", `step ${at}: ${step.label}`);
  enable(["on", "last", "on-operation", "over"], at < line.steps.length - 1);
  enable(["back", "first", "back-operation"], at > 0);
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
  $("beside").hidden = !opened.algorithm || !Object.keys(opened.changed).length;
  $("picture-says").hidden = $("beside").hidden;
  if ($("beside").hidden) return [];
  const key = `beside ${step.operation}`;
  if (!cache.has(key)) cache.set(key, await must({ do: "beside", operation: step.operation }));
  const answer = cache.get(key);
  if (!answer) return [];
  $("beside-says").textContent = `The reference, when this operation has ended${step.operation < 0 ? "" : `: ${answer.says}`}`;
  return showScene($("beside-picture"), answer.svg);
}

// As large as there is room for, and no jumping: it grows back only when the history is another.
let zoom = 0;
let tallest = 0;
function fit() {
  const svg = $("picture").querySelector("svg");
  const wide = document.querySelector("main");
  const width = Number(svg.getAttribute("width"));
  if (!zoom) delete wide.dataset.whole;
  if (($("picture").clientWidth - 12) / width < 0.9) wide.dataset.whole = ""; // the text goes below it
  const room = ($("picture").clientWidth - 12) / width;
  const isLarge = document.documentElement.hasAttribute("data-large");
  const largest = isLarge ? 2.1 : 1.6;
  const most = innerHeight * (isLarge ? 0.4 : 0.6); // in large type the controls need more of the screen
  const height = most / Number(svg.getAttribute("height"));
  const before = zoom;
  zoom = Math.max(0.75, Math.min(zoom || largest, largest, room, Math.max(height, 0.9)));
  $("picture").parentElement.style.setProperty("--zoom", String(zoom));
  if (zoom < before) tallest = 0; // what was as high as it was large
  tallest = Math.max(tallest, Math.min(Number(svg.getAttribute("height")) * zoom + 20, most));
  $("picture").style.minHeight = `${tallest}px`;
}
window.addEventListener("resize", () => { zoom = tallest = 0; if (step) fit(); });

const endAfter = (from) => line.ends.find((end) => end > from) ?? line.steps.length - 1;
const endBefore = (from) => line.ends.findLast((end) => end < from) ?? 0;
function over() {
  const depth = line.steps[at][1];
  for (let next = at + 1; next < line.steps.length; next++) {
    if (line.steps[next][1] <= depth || line.steps[next][2]) return next;
  }
  return line.steps.length - 1;
}
const byLines = () => $("by-lines").checked;
const go = (move) => {
  stop();
  return inTurn(() => show(move()));
};
const moves = {
  first: () => 0,
  last: () => line.steps.length - 1,
  back: () => at - 1,
  on: () => at + 1,
  over,
  "back-operation": () => endBefore(at),
  "on-operation": () => endAfter(at),
};

function stop() {
  clearTimeout(playing);
  playing = 0;
  $("play").textContent = "▶ Play";
  $("play").setAttribute("aria-label", "Play");
}

function pace() {
  const milliseconds = [2400, 1500, 1000, 650, 400, 220, 90][Number($("speed").value)];
  document.documentElement.style.setProperty("--pace", `${Math.min(milliseconds * 0.6, 400)}ms`);
  return milliseconds;
}

function play() {
  if (playing) return stop();
  if (at >= line.steps.length - 1) at = 0;
  $("play").textContent = "⏸ Pause";
  $("play").setAttribute("aria-label", "Pause");
  const tick = async () => {
    await inTurn(() => (playing ? show(byLines() ? at + 1 : endAfter(at)) : null));
    if (!playing) return;
    if (at >= line.steps.length - 1) return stop();
    playing = setTimeout(tick, pace());
  };
  playing = setTimeout(tick, 0);
}

// The text

function showOpened() {
  const { about } = opened;
  $("algorithm").value = opened.algorithm; // none, for a class of somebody's own
  const own = !opened.algorithm;
  for (const id of ["find", "restore", "run-source", "variant", "function", "run-scenario", "undo", "clear", "link"]) $(id).disabled = own;
  for (const option of $("monoid").options) option.disabled = !opened.monoids.includes(option.value);
  $("monoid").value = opened.monoid;
  $("own-box").hidden = opened.monoid !== "own";
  if (opened.own) $("own").value = opened.own;
  document.title = `${opened.name} · swagproof learn`;
  $("about").replaceChildren(
    make("b", {}, about["Full name"] ?? opened.name), " · ", about["Paper"] ?? "", " · ",
    make("span", {}, `combine calls: ${about["Combine calls"] ?? ""}`), " · ", make("span", {}, about["Space"] ?? ""),
  );
  $("options").replaceChildren(...Object.entries(opened.options).map(([name, { value, choices, label, says }]) => {
    const select = make("select", { id: `option-${name}`, title: says }, ...choices.map(([each, shown]) => make("option", { value: each }, shown)));
    select.value = value;
    select.onchange = () => inTurn(() => open(wanted({ options: { ...wanted().options, [name]: Number(select.value) } })));
    return make("label", { title: says }, `${label} `, select);
  }));
  const chosen = $("scenario").value;
  $("scenario").replaceChildren(...opened.scenarios.map(({ name, says }) => make("option", { value: name, title: says }, `${name}: ${says}`)));
  if (opened.scenarios.some(({ name }) => name === chosen)) $("scenario").value = chosen;
  showCode();
  showWorkshop();
  showErrata();
  showProofs();
  showCurves();
  $("clauses").replaceChildren(...opened.clauses.map((clause, number) => {
    const button = make("button", { type: "button", "aria-describedby": `formula-${number}` },
      make("span", { className: "sign", "aria-hidden": "true" }),
      make("span", {}, make("span", { className: "name" }, clause.name), " ", make("span", { className: "status" })),
      make("pre", { id: `formula-${number}` }, clause.formula));
    const point = (on) => { pointedClause = on ? number : null; light(); };
    button.onmouseenter = button.onfocus = () => point(true);
    button.onmouseleave = button.onblur = () => point(false);
    return make("li", {}, button);
  }));
}

const rowId = (name, number) => `row-${name}-${number}`;

function showCode() {
  const lines = new Map(opened.listings.flatMap((listing) => listing.lines.map((each) => [`${listing.name} ${each.label}`, each])));
  const bodies = opened.functions.map((each) => {
    let inDoc = false;
    const margin = each.name.includes(".") ? 4 : 0;
    const rows = each.lines.map(({ text, tags, ours, changed }, index) => {
      const number = each.first + index;
      const quotes = (text.match(/"""/g) ?? []).length;
      const isDoc = inDoc || quotes > 0;
      if (quotes === 1) inDoc = !inDoc;
      const paper = make("td", { className: "paper" });
      for (const [listing, label, shifted, entry] of tags) {
        const printed = lines.get(`${listing} ${label}`);
        if (!printed) continue;
        if (paper.childNodes.length) paper.append(make("br"));
        paper.append(make("span", { className: "label" }, `l.${label}`), " ", make("b", {}, "  ".repeat(printed.depth / 2 | 0) + printed.printed));
        for (const said of [shifted, entry].filter(Boolean)) paper.append(" ", make("button", { type: "button", className: "entry", onclick: () => showErratum(said.split(" ").at(-1)) }, said));
      }
      if (ours) paper.append(make("span", { className: "ours" }, ours));
      const code = text.replace(/( *#)? *\[(ours|[^\[\]]+ l\.)[^\[\]]*\]$/, "").slice(margin) || " ";
      const attributes = { id: rowId(each.name, number), className: changed ? "changed" : "" };
      const cells = isDoc ? [make("td", { className: "doc", colSpan: 2 }, code)] : [make("td", {}, code), paper];
      return make("tr", attributes, make("td", {}, String(number)), ...cells);
    });
    return make("tbody", {}, make("tr", {}, make("th", { colSpan: 3, scope: "rowgroup" }, each.name)), ...rows);
  });
  const columns = make("colgroup", {}, ...["number", "text", "paper"].map((name) => make("col", { className: name })));
  $("code").replaceChildren(make("table", {}, columns, ...bodies));
}

function showLine() {
  for (const row of $("code").querySelectorAll("tr.now")) {
    row.classList.remove("now");
    row.removeAttribute("aria-current");
  }
  const row = step.line ? document.getElementById(rowId(step.function, step.line)) : null;
  if (row) {
    row.classList.add("now");
    row.setAttribute("aria-current", "step");
    const box = $("code");
    const top = row.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (top < 30 || top > box.clientHeight - 50) box.scrollTop += top - box.clientHeight / 3;
  }
  $("now").replaceChildren(...(row ? [make("code", {}, row.children[1].textContent.trim()), make("span", { className: "paper" }, row.children[2]?.textContent ?? "")] : []));
  const product = ([text, span]) => make("span", { title: span }, text, span ? make("span", { className: "span" }, ` ${span}`) : "");
  $("line").replaceChildren(
    ...step.combined.map(([left, right, result]) => make("div", {}, product(left), " ⊗ ", product(right), " = ", product(result))),
    ...Object.entries(step.local).map(([name, value]) => make("div", {}, `${name} = ${value}`)),
  );
  if (!$("line").children.length) $("line").append(make("span", { className: "quiet" }, "no combine call, no local variable"));
}

// Clauses, and what they speak of

function showClauses() {
  const within = !step.ends;
  $("clauses-say").textContent = within
    ? "Asked of the window as it was before this operation: some break on the way, and hold again when it has ended."
    : "Asked of the window now. None is off: those too are asked that wait for ICONTRACT_SLOW elsewhere, and each answer is held against the definition.";
  $("clauses-say").hidden = !opened.clauses.length;
  const broken = [];
  [...$("clauses").children].forEach((item, number) => {
    const look = step.looks[number];
    const [kind, sign, words] = look.holds === true ? ["holds", "✓", "holds"]
      : look.holds === false ? ["fails", within ? "…" : "✗", within ? "on the way" : "broken"]
      : ["unasked", "?", within ? "cannot be asked here" : `cannot be asked: ${look.error}`];
    item.className = within && kind === "fails" ? "unasked" : kind;
    item.querySelector(".sign").textContent = sign;
    item.querySelector(".status").textContent = words;
    if (!within && look.broken.length) broken.push([look.broken, opened.clauses[number].fields]);
  });
  for (const shape of shapes($("picture"))) shape.classList.toggle("broken", isBroken(shape, broken) || (!within && differs(shape)));
  light();
}

// Whether one of the clauses that are broken, each with its places and fields, speaks of a shape.
const isBroken = (shape, broken) => broken.some(([places, fields]) => places.includes(shape.dataset.place) && linksOf(shape).some((link) => fields.includes(link)));

// Whether a cell is not as the reference has it, where that stands beside it.
function differs(shape) {
  const other = $("beside").hidden ? null : $("beside-picture").querySelector(`[data-id="${CSS.escape(shape.dataset.id)}"]`);
  return other !== null && shape.classList.contains("cell") && other.textContent !== shape.textContent;
}

const linksOf = (shape) => (shape.dataset.links ?? "").split(" ").filter(Boolean);

function light() {
  const fields = pointedClause === null ? [] : opened.clauses[pointedClause].fields;
  const all = shapes($("picture"));
  for (const shape of all) shape.classList.toggle("lit", linksOf(shape).some((link) => fields.includes(link)));
}

function lightClauses(shape) {
  const links = shape ? linksOf(shape) : [];
  [...$("clauses").children].forEach((item, number) => {
    item.querySelector("button").classList.toggle("lit", opened.clauses[number].fields.some((field) => links.includes(field)));
  });
}

function pointAt(shape) {
  for (const other of $("picture").querySelectorAll(".pointed")) other.classList.remove("pointed");
  if (shape) shape.classList.add("pointed");
  lightClauses(shape);
}

// Costs

function showCosts() {
  const bound = step.operation >= 0 ? line.bounds[step.operation] : null;
  const { most, source } = step.account;
  const rows = [
    ["this operation", `${step.calls}${bound === null ? "" : ` of at most ${bound}`}`, bound !== null && step.calls > bound],
    ["in all", `${step.total}${most === null ? "" : ` of at most ${most} on account`}`, most !== null && step.total > most],
    ...(source ? [["source", source, false]] : []),
  ];
  $("costs").replaceChildren(...rows.flatMap(([name, value, isOver]) => [make("dt", {}, name), make("dd", { className: isOver ? "over" : "" }, isOver ? `${value}: more than it may` : value)]));
}

const SHORT = { insert: "i", evict: "e", query: "q", range_query: "r", bulk_insert: "I", bulk_evict: "E" };
function showStrip() {
  const most = Math.max(4, ...line.calls);
  const unasked = new Set(line.unasked);
  $("strip").replaceChildren(...line.history.map((operation, number) => {
    const end = line.ends.find((each) => line.steps[each][0] === number) ?? 0;
    const calls = line.calls[line.ends.indexOf(end)] ?? 0;
    const button = make("button", {
      type: "button", title: `${line.labels[number]}: ${calls} combine calls`, "data-name": operation[0], "data-operation": String(number),
      "aria-label": `operation ${number + 1}: ${line.labels[number]}, ${calls} combine calls`,
    }, make("i", { style: `height:${(calls / most) * 2.6}rem` }), make("span", {}, SHORT[operation[0]] ?? operation[0]));
    if (line.steps[end]?.[3]) button.classList.add("bad");
    if (unasked.has(number)) markUnasked(button);
    button.onclick = () => go(() => end);
    return button;
  }));
  const shown = Object.keys(line.takes).filter((name) => SHORT[name]).map((name) => `${SHORT[name]} is ${name.replaceAll("_", " ")}`).join(", ");
  const bars = opened.about["Combine calls"]?.startsWith("none") ? "Each name is an operation; it makes no combine calls" : "Each bar is an operation, as high as its combine calls";
  const waiting = unasked.size ? ` Of ${unasked.size.toLocaleString("en")} operations, whose bars are pale, the invariants are asked when you look at them: after each operation of so long a history it would take minutes.` : "";
  $("strip-says").textContent = `${bars}${shown && `: ${shown}`}.${waiting}${line.let_go ? ` Of the first ${line.let_go} only the ends are kept: a history has up to ${line.kept.toLocaleString("en")} lines.` : ""}`;
}

const UNASKED = "; its invariants are not asked yet";
function markUnasked(button) {
  button.classList.add("unasked");
  button.ariaLabel += UNASKED;
}

function markOperation() {
  for (const button of $("strip").querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
  const button = $("strip").children[step.operation];
  if (!button) return;
  button.setAttribute("aria-current", "step");
  if (step.ends) {
    button.classList.remove("unasked");
    button.ariaLabel = button.ariaLabel.replace(UNASKED, "");
    button.classList.toggle("bad", step.broken);
  }
  const strip = $("strip");
  if (button.offsetLeft < strip.scrollLeft || button.offsetLeft > strip.scrollLeft + strip.clientWidth - 40) strip.scrollLeft = button.offsetLeft - strip.clientWidth / 2;
}

// Operations by hand

function showAsk() {
  const focused = $("ask").contains(document.activeElement) ? document.activeElement.id : "";
  $("ask").replaceChildren(...Object.entries(line.takes).map(([name, takes]) => {
    const inputs = takes.map((what, index) => {
      const usual = what === "element" ? line.next.element : what === "entries" ? usualEntries() : what === "count" ? 1 : ["size", "place"].includes(what) ? 2 : what === "ticket" ? 0 : name.endsWith("evict") ? line.next.oldest : index === 1 && what === "time" ? line.next.time - 1 : name === "range_query" ? line.next.oldest : line.next.time;
      return make("input", { id: `${name}-${index}`, value: usual, "aria-label": `${name}: ${what}`, autocomplete: "off", title: what });
    });
    const button = make("button", { type: "submit", value: name, className: name === "insert" ? "main" : "", disabled: line.failed }, name.replaceAll("_", " "));
    return make("span", { className: "one" }, button, ...inputs);
  }));
  keepTyped(...[...$("ask").querySelectorAll("input")].map(({ id }) => id));
  if (focused) $(focused)?.focus();
  showTimes();
}

// What a bulk insert takes is written as its inserts are, with commas between them: `3 b, 4 c`.
const usualEntries = () => [0, 1, 2].map((more) => (line.takes.insert[0] === "time" ? `${line.next.time + more} ${line.next.element}` : line.next.element)).join(", ");

const readEntries = (text) => text.trim() === "" ? [] : text.split(",").map((entry) => {
  const words = entry.trim().split(/\s+/);
  const takes = line.takes.insert;
  return words.map((word, index) => read(takes[index] ?? "element", word)); // too many or few are refused by Python
});

// Where an insert takes a time, the element can be dragged to it; the field beside insert is the same by keyboard.
function showTimes() {
  const takes = line.takes.insert ?? [];
  $("times").hidden = takes[0] !== "time" || takes[1] !== "element" || line.failed;
  if ($("times").hidden) return $("times").replaceChildren();
  const { held, time } = line.next;
  const first = Math.floor(Math.min(...held, time - 1, 0));
  const last = Math.ceil(Math.max(...held, time)) + 3;
  const place = (at) => `left:${((at - first + 0.5) / (last - first + 1)) * 100}%`;
  const axis = make("div", { className: "axis" }, ...held.filter((_, number) => number % Math.ceil(held.length / 30) === 0).map((at) => make("span", { className: "held", style: place(at) }, String(at))));
  const event = make("b", { className: "event", title: "Drag it to its time" }, $("insert-1").value);
  const mark = make("span", { className: "drop", hidden: true });
  axis.append(mark);
  const timeAt = ({ clientX, clientY }) => {
    const box = axis.getBoundingClientRect();
    const far = clientX < box.left || clientX >= box.right || clientY < box.top - 40 || clientY > box.bottom + 40;
    return far ? null : first + Math.floor(((clientX - box.left) / box.width) * (last - first + 1));
  };
  const letGo = () => { event.onpointermove = null; event.style.transform = ""; mark.hidden = true; };
  event.onpointerdown = (down) => {
    down.preventDefault();
    event.setPointerCapture(down.pointerId);
    event.textContent = $("insert-1").value;
    event.onpointermove = (move) => {
      event.style.transform = `translate(${move.clientX - down.clientX}px,${move.clientY - down.clientY}px)`;
      const at = timeAt(move);
      mark.hidden = at === null;
      if (at === null) return;
      mark.style = place(at);
      mark.textContent = `t ${at}`;
    };
  };
  event.onpointerup = (up) => {
    if (!event.onpointermove) return;
    const at = timeAt(up);
    letGo();
    const operation = ["insert", at, read("element", $("insert-1").value)];
    if (at !== null) inTurn(() => perform([operation]));
  };
  event.onpointercancel = letGo;
  $("times").replaceChildren(make("span", { className: "quiet" }, "drag"), event, make("span", { className: "quiet" }, "to its time"), axis);
}

function read(what, text) {
  if (what === "entries") return readEntries(text);
  if (what === "element" && typeof line.next.element === "string") return text;
  const number = Number(text);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return text.trim() !== "" && isExact ? number : text; // what would be another number is refused, as the text that it is
}

$("ask").onsubmit = (event) => {
  event.preventDefault();
  const name = event.submitter?.value ?? Object.keys(line.takes)[0];
  const operation = [name, ...line.takes[name].map((what, index) => read(what, $(`${name}-${index}`).value))];
  inTurn(async () => {
    await perform([operation]);
    if (document.activeElement === document.body) $("ask").querySelector(`button[value="${name}"]`)?.focus(); // else elsewhere since
  });
};

async function perform(operations) {
  stop();
  const from = line.steps.length;
  const answer = await must({ do: "extend", operations });
  if (!answer) return;
  trouble("");
  takeTimeline(answer);
  await show(byLines() && answer.steps.length > from ? Math.min(from, answer.steps.length - 1) : answer.steps.length - 1);
}

$("run-scenario").onclick = () => inTurn(async () => {
  const answer = await must({ do: "scenario", name: $("scenario").value, size: Number($("size").value) });
  if (answer) await open(wanted({ history: answer.operations }), 0);
});
$("undo").onclick = () => inTurn(() => open(wanted({ history: line.history.slice(0, -1) })));
$("clear").onclick = () => inTurn(() => open(wanted({ history: [] })));

// A link that carries the history

function fragment() {
  const { algorithm, monoid, own, changes, history, options } = wanted();
  const short = { a: algorithm, m: monoid, h: history, s: at };
  if (own) short.w = own;
  if (Object.keys(changes).length) short.c = changes;
  if (Object.keys(options).length) short.o = options;
  if (opened.right) short.r = opened.right;
  if (opened.witnessed) short.v = opened.witnessed;
  return writeLink(short);
}

let remembering = 0;
function remember() {
  clearTimeout(remembering);
  if (!opened.algorithm) return;
  remembering = setTimeout(writeAddress, 150);
}

function writeAddress() {
  history.replaceState(null, "", fragment());
  sessionStorage.setItem("written", location.hash);
}

// A link can carry code, any page can lead here, and what is opened is run.  So what this tab has not written itself is
// shown first.  Of what cannot be opened it is said why, and what is open instead.
async function follow(hash) {
  const isLink = hash.length > 1 && !document.getElementById(hash.slice(1));
  if (!isLink && opened) return; // a place on the page
  let why = "";
  $("carried").hidden = true;
  try {
    if (isLink) {
      const link = readLink(hash);
      const code = [link.own, ...Object.values(link.changes)].filter(Boolean);
      $("carried").hidden = !code.length || hash === sessionStorage.getItem("written");
      if ($("carried").hidden && (await open(link, link.at))) return;
      why = $("carried").hidden ? $("trouble").textContent : "";
      $("carried-code").textContent = code.join("\n");
      $("run-carried").onclick = () => inTurn(async () => {
        $("carried").hidden = true;
        await open(link, link.at);
      });
    }
  } catch (wrong) {
    if (!isText(wrong)) throw wrong;
    why = wrong;
  }
  if (!opened && !(await open({ algorithm: "daba", monoid: "letters" }))) return;
  if (why) trouble(`The link cannot be opened: ${why.replace(/[.]$/, "")}. Open is ${opened.name} instead.`);
}

$("link").onclick = async () => {
  const text = location.origin + location.pathname + fragment();
  try {
    await navigator.clipboard.writeText(text);
    $("link").textContent = "Copied";
  } catch {
    writeAddress();
    $("link").textContent = "It is in the address bar";
  }
  setTimeout(() => ($("link").textContent = "Copy link"), 2000);
};

// Breaking it, and judging what is yours

function said(place, text, kind = "") {
  $(place).className = kind && `is-${kind}`;
  $(place).textContent = text;
}

async function busy(button, place, words, work) {
  stop();
  button.disabled = true;
  said(place, words);
  try { await inTurn(work); } finally { button.disabled = false; }
}

function showWorkshop() {
  const known = [...$("variant").options].map(({ value }) => value).join("\n");
  const now = ["", ...opened.variants.map(({ name }) => name)].join("\n");
  if (known !== now || !$("variant").length) {
    $("variant").replaceChildren(make("option", { value: "" }, opened.variants.length ? "choose one" : "none is registered"),
      ...opened.variants.map(({ name, hidden }) => make("option", { value: name }, hidden ? `${name} (no answer shows it)` : name)));
  }
  const wasFunction = $("function").value;
  $("function").replaceChildren(...opened.functions.map(({ name }) => make("option", { value: name }, name)));
  const changed = Object.keys(opened.changed);
  $("function").value = changed[0] ?? (opened.functions.some(({ name }) => name === wasFunction) ? wasFunction
    : (opened.functions.find(({ name }) => /\.(fixup|evict|repair_aggs)$/.test(name)) ?? opened.functions[0])?.name ?? "");
  keepTyped("function");
  showSource();
  keepTyped("source");
  $("mistake").hidden = !changed.length;
  const since = opened.right ? `, from operation ${opened.right + 1} on` : "";
  $("mistake").textContent = changed.length ? `Not the reference: ${changed.join(", ")} ${changed.length > 1 ? "are" : "is"} changed${since}.` : "";
}

function showErrata() {
  $("errata").replaceChildren(...opened.errata.map(({ id, list, place, quotes, words, "case": shown, forms, elsewhere, unplayed }) => {
    const rows = [["quoted", quotes.map((each) => make("q", {}, each))], ...Object.entries(words).map(([name, said]) => [name, [said]]), ["shown by", [shown]],
      ["not played", [unplayed]], ["played on", [elsewhere.join(", ")]]]
      .filter(([, said]) => said.length && said[0] !== "");
    const plays = forms.map((form) => make("button", { type: "button", onclick: () => inTurn(() => playRefuted(id, form)) }, form.name ? `Play it as printed: ${form.name}` : `Play it: ${form.says}`));
    return make("details", { id: `erratum-${id}` },
      make("summary", {}, make("b", {}, id), `${list}: ${place}`),
      make("dl", {}, ...rows.flatMap(([name, said]) => [make("dt", {}, name), make("dd", {}, ...said)])), ...plays);
  }));
  if (!opened.errata.length) $("errata").append(make("p", { className: "quiet" }, "Nothing."));
}

function showErratum(id) {
  const found = document.getElementById(`erratum-${id}`);
  if (!found) return;
  found.open = true;
  found.querySelector("summary").focus();
}

async function playRefuted(id, { name, says, monoid, options, history }) {
  const answer = name ? await must({ do: "variant", name }) : { changes: {} };
  const same = { monoid, options, history };
  if (!answer || !(await open(wanted({ ...same, changes: answer.changes }), 0))) return;
  $("mistake").hidden = false;
  if (name) $("mistake").replaceChildren(`${id}, as printed: ${name}. `, make("button", { type: "button", onclick: () => inTurn(() => open(wanted({ ...same, changes: {} }))) }, "The same, corrected"));
  else $("mistake").replaceChildren(`${id}: ${says}.`);
  document.querySelector(".stage").scrollIntoView({ block: "start" });
  play();
}

// What it costs

let curve = "";
function showCurves() {
  const ours = opened.curves ?? [];
  $("curve").replaceChildren(...[["of this algorithm", true], ["of others", false]].map(([label, own]) => make("optgroup", { label },
    ...catalogue.curves.filter(({ id }) => ours.includes(id) === own).map(({ id, title }) => make("option", { value: id }, title)))));
  $("curve").value = ours.includes(curve) ? curve : ours[0] ?? catalogue.curves[0].id;
  if ($("curve-box").open) showCurve();
}

async function showCurve() {
  if (curve === $("curve").value) return;
  curve = $("curve").value;
  const answer = await must({ do: "curve", id: curve });
  if (!answer) return;
  showScene($("plot"), answer.svg, { still: true });
  $("plot-source").textContent = `${answer.title} (${answer.source}). Counted, not timed; dashed: what it may be at most.`;
  $("plot-says").textContent = "Point at a mark.";
}
$("curve").onchange = () => inTurn(showCurve);
$("curve-box").ontoggle = () => { if ($("curve-box").open) inTurn(showCurve); };
for (const on of ["pointerover", "focusin"]) $("plot").addEventListener(on, ({ target }) => {
  const point = target.closest(".point");
  if (!point) return;
  for (const other of point.parentElement.querySelectorAll(".point")) other.setAttribute("tabindex", other === point ? "0" : "-1");
  const here = [...$("plot").querySelectorAll(".point")].filter((each) => each.getAttribute("transform") === point.getAttribute("transform"));
  $("plot-says").textContent = here.map((each) => each.getAttribute("aria-label")).join("; ");
});

// A curve is one stop of the tab key; within it the arrow keys go.
$("plot").addEventListener("keydown", (event) => {
  const all = [...(event.target.closest(".series")?.querySelectorAll(".point") ?? [])];
  const from = all.indexOf(event.target.closest(".point"));
  const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: all.length - 1 }[event.key];
  if (from < 0 || to === undefined || event.shiftKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  all[Math.max(0, Math.min(to, all.length - 1))].focus();
});

// What is proved

function showProofs() {
  const { claims, told } = opened.proofs ?? { claims: [], told: null };
  $("claims").replaceChildren(...claims.map(({ id, kind, source, statement, scope, not_covered: not }) => make("details", {},
    make("summary", {}, make("b", {}, kind.replaceAll("-", " ")), statement),
    make("dl", {}, ...[["of", source], ["scope", scope], ["not covered", not], ["check it", `swagproof prove ${id} --explain`]].filter(([, said]) => said)
      .flatMap(([name, said]) => [make("dt", {}, name), make("dd", {}, said)])))));
  if (!claims.length) $("claims").append(make("p", { className: "quiet" }, "Nothing."));
  $("cases-box").hidden = !told;
  if (!told) return;
  $("cases-say").textContent = `${told.id}: the reference runs over unknown pointers and segments, along every path. Each of the ${told.cases.length} paths is a case; below it stands what is to be shown in it, and was. `
    + `[2, 5) stands for the product of the elements from number 2 up to number 5, whatever they are. `
    + "What is drawn is one small state; what is shown is so of every state that meets the invariant and goes this way.";
  $("cases").replaceChildren(...told.cases.map((each, number) => {
    const before = told.cases.slice(0, number).filter(({ run }) => run === each.run).length;
    const all = told.cases.filter(({ run }) => run === each.run).length;
    return showCase(each, told.words, `${each.run}${all > 1 ? `, case ${before + 1} of ${all}` : ""}`, number);
  }));
  $("wrongs").replaceChildren(...told.wrong.map((each, number) => showCase(each, told.words, each.run, number)));
}

function showCase(each, words, run, number) {
  const { name, answers, shown, fails, history, drawn, cut } = each;
  const pictures = make("div", { className: "before-after", tabIndex: 0, role: "group", "aria-label": "The state before and after" });
  const details = make("details", {},
    make("summary", {}, make("b", {}, fails ? name : run), fails ? `${run}: ${fails}` : name),
    make("ul", { className: "answers" }, ...answers.map(([method, text, answer]) => make("li", {},
      make("span", { className: "quiet" }, method), " ", make("code", {}, text), " ", make("b", {}, answer ? "yes" : "no")))),
    pictures);
  if (history === null) pictures.append(make("pre", {}, drawn || "nothing is unknown"));
  if (history === null) pictures.append(make("p", { className: "quiet" }, "No history was found that leads to this very state: the proof covers more than is reached."));
  if (!fails) details.append(make("div", { className: "shown" }, "Shown: ", ...Object.entries(shown).map(([obligation, count]) =>
    showObligation(`${obligation}${count > 1 ? ` (${count})` : ""}`, words[obligation]))));
  if (cut) details.append(make("p", { className: "quiet" }, "It ends where a loop begins again, or with nothing left to show."));
  if (history !== null && each.run !== "start") details.append(make("button", { type: "button", onclick: () => inTurn(() => playCase(each)) }, "Play it"));
  if (history !== null) details.ontoggle = () => inTurn(async () => {
    if (!details.open || pictures.children.length) return;
    const answer = await must({ do: "case", at: number, of: fails ? "wrong" : "cases" });
    if (!answer) return;
    for (const [title, svg] of [["before", answer.before], ["after", answer.after]].slice(each.run === "start" ? 1 : 0)) {
      const figure = make("figure", {});
      showScene(figure, svg, { still: true });
      const isWrong = fails && title === "after";
      if (isWrong) for (const shape of shapes(figure)) shape.classList.toggle("broken", isBroken(shape, answer.broken));
      figure.prepend(make("figcaption", {}, isWrong ? `after, with the mistake: ${answer.says}` : title));
      pictures.append(figure);
    }
  });
  return details;
}

// What is to be shown, and what that says, where it is a clause.
const showObligation = (text, formula) => formula
  ? make("details", { className: "obligation" }, make("summary", {}, text), make("pre", {}, formula))
  : make("span", { className: "obligation" }, text);

async function playCase({ name, fails, history }) {
  const over = { monoid: opened.monoids.includes("segments") ? "segments" : opened.monoid, own: "" };
  const answer = fails ? await must({ do: "variant", name }) : { changes: {} };
  if (!answer) return;
  const right = fails ? history.length - 1 : 0;
  if (!(await open(wanted({ ...over, changes: answer.changes, history, right }), 0))) return;
  await show(line.ends.find((end) => line.steps[end][0] === history.length - 2) ?? 0, { still: true });
  document.querySelector(".stage").scrollIntoView({ block: "start" });
  play();
}

function showSource() {
  const found = opened.functions.find(({ name }) => name === $("function").value);
  $("source").value = found ? found.lines.map(({ text }) => text).join("\n") : "";
}

$("function").onchange = showSource;
$("variant").onchange = () => {
  const name = $("variant").value;
  return inTurn(async () => {
    if (!name) return open(wanted({ changes: {} }));
    const answer = await must({ do: "variant", name });
    if (answer && (await open(wanted({ changes: answer.changes })))) said("found", `${name}: what does it break?`);
  });
};
$("restore").onclick = () => {
  $("variant").value = "";
  said("found", "");
  inTurn(() => open(wanted({ changes: {} })));
};
$("run-source").onclick = () => {
  const changed = { [$("function").value]: $("source").value };
  inTurn(() => open(wanted({ changes: { ...opened.changed, ...changed } })));
};
$("find").onclick = () => busy($("find"), "found", "Searching …", async () => {
  const name = $("variant").value;
  const answer = await must({ do: "break" }, (error) => said("found", error, "bad"));
  if (!answer) return;
  if (!answer.history && answer.outcome === "violated") return said("found", answer.sentence, "bad");
  if (!answer.history) {
    const rows = opened.variants.find((each) => each.name === name)?.rows ?? [];
    const refuted = rows.length ? ` It is refuted by ${rows.slice(0, 3).join(", ")}: swagproof prove ${rows[0]} --explain.` : "";
    return said("found", `Nothing was found, as it is open or over other monoids and with other numbers. ${answer.tried ? `${answer.tried[0].toUpperCase()}${answer.tried.slice(1)}. ` : ""}The oracle: ${answer.sentence}.${refuted}`, "odd");
  }
  await open(wanted({ ...answer.over, history: answer.history, witnessed: answer.witnessed ?? null }), 0);
  $("variant").value = name;
  const number = line.steps.findIndex((each) => each[3]);
  const broken = number < 0 ? null : await fetchStep(number);
  const clauses = broken ? opened.clauses.filter((_, place) => broken.looks[place].holds !== true).map((each) => each.name) : [];
  const first = broken ? `\nBreaks first: ${[...clauses, broken.fails].filter(Boolean).join("; ")}, at operation ${broken.operation + 1}, ${broken.label}.` : "";
  const built = Object.values(opened.options).map(({ label, value, choices }) => `, ${label} ${choices.find(([each]) => each === value)[1]}`).join("");
  const over = answer.elsewhere ? `Over ${opened.monoid}${built}: ` : "";
  said("found", over + (answer.by !== "contract" ? answer.sentence : broken?.fails.includes("should be") ? "An answer is wrong." : "No answer was found that shows it; a contract does.") + first + unseen(), "bad");
  play();
});

// Of a wrong answer that the movie does not show.
const unseen = () => opened.witnessed ? `\nThe movie does not show it: at operation ${opened.witnessed[0] + 1}, ${line.labels[opened.witnessed[0]]}, ${opened.witnessed[1]}.` : "";

$("mine").value = EXAMPLES.fifo;
$("judge-kind").onchange = () => {
  if (Object.values(EXAMPLES).includes($("mine").value)) $("mine").value = EXAMPLES[$("judge-kind").value];
};
$("judge").onclick = () => {
  const asked = { do: "judge", source: $("mine").value, window: $("judge-kind").value, monoid: $("monoid").value };
  return busy($("judge"), "verdict", "Judging …", async () => {
    const answer = await must(asked, (error) => said("verdict", error, "bad"));
    if (!answer) return;
    opened = { ...answer, asked: { ...asked, monoid: answer.monoid } }; // which may be another than was chosen
    showOpened();
    takeTimeline(answer);
    await show(0, { still: true });
    said("verdict", `${answer.outcome}: ${answer.sentence}${unseen()}`, { conforms: "good", violated: "bad" }[answer.outcome] ?? "odd");
    play();
  });
};

// Looks

const themes = ["system", "light", "dark"];
function setTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $("theme").textContent = `Theme: ${theme}`;
  localStorage.setItem("theme", theme);
}
$("theme").onclick = () => setTheme(themes[(themes.indexOf(localStorage.getItem("theme") ?? "system") + 1) % 3]);
function setLarge(on) {
  document.documentElement.toggleAttribute("data-large", on);
  zoom = tallest = 0;
  if (step) fit();
  $("large").setAttribute("aria-pressed", String(on));
  localStorage.setItem("large", on ? "1" : "");
}
$("large").onclick = () => setLarge(!document.documentElement.hasAttribute("data-large"));

// By hand and by keyboard

for (const [id, move] of Object.entries(moves)) $(id).onclick = () => go(move);
$("play").onclick = play;
$("speed").oninput = pace;
let wished = 0;
$("time").oninput = () => {
  const mine = ++wished;
  const number = Number($("time").value);
  stop();
  inTurn(() => (mine === wished ? show(number, { still: true }) : null)); // of many wishes, the last
};
$("algorithm").onchange = () => {
  const algorithm = $("algorithm").value;
  inTurn(() => open({ algorithm, monoid: opened.monoid }));
};
$("monoid").onchange = () => {
  const isOwn = $("monoid").value === "own";
  $("own-box").hidden = !isOwn;
  if (isOwn) $("own").focus();
  else openOver({ monoid: $("monoid").value });
};
$("own").value = OWN_MONOID;
$("use-own").onclick = () => openOver({ monoid: "own", own: $("own").value });
const openOver = (monoid) => inTurn(() => open({ algorithm: opened.algorithm || "daba", ...monoid, changes: opened.changed, options: wanted().options }));

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
  if (event.target.closest(".before-after, #beside-picture, #carried-code")) return; // which the arrows scroll
  const isRange = event.target.matches("input[type=range]");
  const key = (event.shiftKey ? "Shift+" : "") + (event.altKey ? "Alt+" : "") + event.key;
  const move = { ArrowLeft: "back", ArrowRight: "on", "Shift+ArrowLeft": "back-operation", "Shift+ArrowRight": "on-operation",
    "Alt+ArrowDown": "over", Home: "first", End: "last" }[key];
  if (move && !(isRange && event.target.id === "speed")) {
    event.preventDefault();
    go(moves[move]);
  } else if (key === " " && !event.target.closest("button, summary, input[type=checkbox]")) {
    event.preventDefault();
    play();
  }
});

async function start() {
  setTheme(localStorage.getItem("theme") ?? "system");
  setLarge(Boolean(localStorage.getItem("large")));
  pace();
  catalogue = await must({ do: "catalogue" });
  if (!catalogue) return;
  $("algorithm").replaceChildren(...catalogue.algorithms.map(({ slug, name }) => make("option", { value: slug }, name)));
  $("monoid").replaceChildren(...Object.entries(catalogue.monoids).map(([name]) => make("option", { value: name }, name)), make("option", { value: "own" }, "your own …"));
  await follow(location.hash);
  document.documentElement.dataset.ready = "";
}
// The address may have been written over by the time that it is its turn: the event says what it was.
window.addEventListener("hashchange", ({ newURL }) => inTurn(() => follow(new URL(newURL).hash)));
await inTurn(start);
