// The text of the algorithm, its invariants, its costs, and the strip of operations.

import { go, inTurn, open, wanted } from "./page.js";
import { showClaims, showErrata, showErratum } from "./papers.js";
import { shapes } from "./scene.js";
import { $, fill, it, make, said, terms } from "./state.js";
import { showWorkshop } from "./workshop.js";

const LECTURES = { fifo: "in_order", "out of order": "out_of_order" };
let pointedClause = null;

export function showOpened() {
  const { about } = it.opened;
  $("algorithm").value = it.opened.algorithm; // none, for a class of somebody's own
  const own = !it.opened.algorithm;
  for (const id of ["find", "restore", "run-source", "mutant", "function", "run-scenario", "undo", "clear", "link"]) $(id).disabled = own;
  for (const option of $("monoid").options) option.disabled = !it.opened.monoids.includes(option.value);
  $("monoid").value = it.opened.monoid;
  document.title = `${it.opened.name} · swagproof learn`;
  const kind = it.catalogue.algorithms.find(({ slug }) => slug === it.opened.algorithm)?.kind ?? "fifo";
  $("lecture").href = `lectures/${LECTURES[kind] ?? "windows_and_slices"}.html`;
  $("title").textContent = about["Full name"] ?? it.opened.name;
  $("about").replaceChildren(
    make("b", {}, about["Full name"] ?? it.opened.name), " · ", about["Paper"] ?? "", " · ",
    make("span", {}, `combine calls: ${about["Combine calls"] ?? ""}`), " · ", make("span", {}, about["Space"] ?? ""),
  );
  $("options").replaceChildren(...Object.entries(it.opened.options).map(([name, { value, choices, label, says }]) => {
    const select = make("select", { id: `option-${name}`, title: says }, ...choices.map(([each, shown]) => make("option", { value: each }, shown)));
    select.value = value;
    select.onchange = () => inTurn(() => open(wanted({ options: { ...wanted().options, [name]: Number(select.value) } })));
    return make("label", { title: says }, `${label} `, select);
  }));
  fill($("scenario"), it.opened.scenarios.map(({ name, says }) => make("option", { value: name, title: says }, name)));
  showCode();
  showWorkshop();
  showErrata();
  showClaims();
  $("clauses").replaceChildren(...it.opened.clauses.map((clause, number) => {
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
  const lines = new Map(it.opened.listings.flatMap((listing) => listing.lines.map((each) => [`${listing.name} ${each.label}`, each])));
  const bodies = it.opened.functions.map((each) => {
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
        paper.append(make("span", { className: "label", title: printed.printed }, `l.${label}`), " ", make("b", {}, "  ".repeat(printed.depth / 2 | 0) + printed.printed));
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

export function showLine() {
  const box = $("code");
  const below = (row) => row.getBoundingClientRect().top - box.getBoundingClientRect().top;
  box.querySelector("tr.now")?.removeAttribute("aria-current");
  box.querySelector("tr.now")?.classList.remove("now");
  const row = it.step.line ? document.getElementById(rowId(it.step.function, it.step.line)) : null;
  if (row) {
    row.classList.add("now");
    row.setAttribute("aria-current", "step");
    if (below(row) < 30 || below(row) > box.clientHeight - 50) box.scrollTop += below(row) - box.clientHeight / 3;
  } else if (it.step.operation >= 0) { // no line runs: the function of the operation
    const operation = it.line.history[it.step.operation][0];
    const found = it.opened.functions.find(({ name }) => name.split(".").at(-1) === operation);
    if (found) box.scrollTop += below(document.getElementById(rowId(found.name, found.first))) - 30;
  }
  $("now").replaceChildren(...(row ? [make("code", {}, row.children[1].textContent.trim()), make("span", { className: "paper" }, row.children[2]?.textContent ?? "")] : []));
  const product = ([text, span]) => make("span", { title: span }, text, span ? make("span", { className: "span" }, ` ${span}`) : "");
  $("line").replaceChildren(
    ...it.step.combined.map(([left, right, result]) => make("div", {}, product(left), " ⊗ ", product(right), " = ", product(result))),
    ...Object.entries(it.step.local).map(([name, value]) => make("div", {}, `${name} = ${value}`)),
  );
  if (!$("line").children.length) $("line").append(make("span", { className: "quiet" }, "no combine call, no local variable"));
}

// Clauses, and what they speak of

export function showClauses() {
  const within = !it.step.ends;
  $("clauses-say").textContent = within
    ? "Checked against the window before this operation. Some are temporarily broken, and hold again when it has ended."
    : "Checked after this operation.";
  $("clauses-say").hidden = !it.opened.clauses.length;
  const broken = [];
  [...$("clauses").children].forEach((item, number) => {
    const look = it.step.looks[number];
    const [kind, sign, words] = look.holds === true ? ["holds", "✓", "holds"]
      : look.holds === false ? ["fails", within ? "…" : "✗", within ? "temporarily broken" : "broken"]
      : ["unasked", "?", within ? "cannot be checked here" : `cannot be checked: ${look.error}`];
    item.className = within && kind === "fails" ? "unasked" : kind;
    item.querySelector(".sign").textContent = sign;
    item.querySelector(".status").textContent = words;
    if (!within && look.broken.length) broken.push([look.broken, it.opened.clauses[number].fields]);
  });
  for (const shape of shapes($("picture"))) shape.classList.toggle("broken", isBroken(shape, broken) || (!within && differs(shape)));
  const panel = document.querySelector(".asked");
  const failing = panel.querySelector("#clauses .fails");
  if (failing) panel.scrollTop += failing.getBoundingClientRect().top - panel.getBoundingClientRect().top - 10;
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
  const fields = pointedClause === null ? [] : it.opened.clauses[pointedClause].fields;
  for (const shape of shapes($("picture"))) shape.classList.toggle("lit", linksOf(shape).some((link) => fields.includes(link)));
}

export function pointAt(shape) {
  $("picture").querySelector(".pointed")?.classList.remove("pointed");
  shape?.classList.add("pointed");
  const links = shape ? linksOf(shape) : [];
  [...$("clauses").querySelectorAll("li > button")].forEach((button, number) =>
    button.classList.toggle("lit", it.opened.clauses[number].fields.some((field) => links.includes(field))));
}

// Costs

export function showCosts() {
  const bound = it.step.operation >= 0 ? it.line.bounds[it.step.operation] : null;
  const { most, source } = it.step.account;
  const rows = [
    ["this operation", `${it.step.calls}${bound === null ? "" : ` of at most ${bound}`}`, bound !== null && it.step.calls > bound],
    ["in all", `${it.step.total}${most === null ? "" : ` of at most ${most}, amortised`}`, most !== null && it.step.total > most],
    ...(source ? [["source", source, false]] : []),
  ];
  $("costs").replaceChildren(...terms(rows.map(([name, value, isOver]) => [name, isOver ? make("span", { className: "over" }, `${value}: exceeded`) : value])));
}

const SHORT = { insert: "i", evict: "e", query: "q", range_query: "r", bulk_insert: "I", bulk_evict: "E",
  advance: "a", register: "R", lookup: "l", update: "u", prefix: "p", suffix: "s", aggregate: "A", wait: "w" };
export function showStrip() {
  const most = Math.max(4, ...it.line.calls);
  $("strip").replaceChildren(...it.line.history.map((operation, number) => {
    const end = it.line.ends.find((each) => it.line.steps[each][0] === number) ?? 0;
    const calls = it.line.calls[it.line.ends.indexOf(end)] ?? 0;
    const button = make("button", {
      type: "button", title: `${it.line.labels[number]}: ${calls} combine calls`, "data-name": operation[0], "data-operation": String(number),
      "aria-label": `operation ${number + 1}: ${it.line.labels[number]}, ${calls} combine calls`,
    }, make("i", { style: `height:${(calls / most) * 2.6}rem` }), make("span", {}, SHORT[operation[0]] ?? operation[0]));
    if (it.line.steps[end]?.[3]) button.classList.add("bad");
    button.onclick = () => go(() => end);
    return button;
  }));
  const shown = Object.keys(it.line.takes).filter((name) => SHORT[name]).map((name) => `${SHORT[name]} is ${name.replaceAll("_", " ")}`).join(", ");
  const bars = it.opened.about["Combine calls"]?.startsWith("none") ? "Each name is an operation; it makes no combine calls" : "Each bar is an operation, as high as its combine calls";
  $("strip-says").textContent = `${bars}${shown && `: ${shown}`}.`;
}

export function markOperation() {
  for (const button of $("strip").querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
  const button = $("strip").children[it.step.operation];
  if (!button) return;
  button.setAttribute("aria-current", "step");
  const strip = $("strip");
  if (button.offsetLeft < strip.scrollLeft || button.offsetLeft > strip.scrollLeft + strip.clientWidth - 40) strip.scrollLeft = button.offsetLeft - strip.clientWidth / 2;
}
