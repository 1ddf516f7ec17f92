// What the papers say: errata, curves of cost, and cases of proofs.

import { inTurn, must, open, play, show, wanted } from "./page.js";
import { shapes, showScene } from "./scene.js";
import { $, it, make, terms } from "./state.js";
import { isBroken } from "./text.js";

const NOTHING = () => make("p", { className: "quiet" }, "Nothing.");

// Plays a history with a registered mutant, or with the reference, and from the step that is shown after so many operations.
async function playWith(name, more, before = 0) {
  const answer = name ? await must({ do: "variant", name }) : { changes: {} };
  if (!answer || !(await open(wanted({ ...more, changes: answer.changes }), 0))) return false;
  await show(it.line.ends[before] ?? 0, { still: true });
  document.querySelector(".stage").scrollIntoView({ block: "start" });
  play();
  return true;
}

export function showErrata() {
  $("errata").replaceChildren(...it.opened.errata.map(({ id, list, place, quotes, words, "case": shown, forms, elsewhere, unplayed }) => {
    const rows = [["quoted", quotes.map((each) => make("q", {}, each))], ...Object.entries(words).map(([name, said]) => [name, [said]]), ["shown by", [shown]],
      ["not played", [unplayed]], ["played on", [elsewhere.join(", ")]]]
      .filter(([, said]) => said.length && said[0] !== "");
    const plays = forms.map((form) => make("button", { type: "button", onclick: () => inTurn(() => playRefuted(id, form)) }, form.name ? `Play it as printed: ${form.name}` : `Play it: ${form.says}`));
    return make("details", { id: `erratum-${id}` },
      make("summary", {}, make("b", {}, id), `${list}: ${place}`),
      make("dl", {}, ...terms(rows.map(([name, said]) => [name, ...said]))), ...plays);
  }), it.opened.errata.length ? "" : NOTHING());
}

export function showErratum(id) {
  const found = document.getElementById(`erratum-${id}`);
  if (!found) return;
  found.open = true;
  found.querySelector("summary").focus();
}

async function playRefuted(id, { name, says, monoid, options, history }) {
  const same = { monoid, options, history };
  if (!(await playWith(name, same))) return;
  $("mistake").hidden = false;
  if (name) $("mistake").replaceChildren(`${id}, as printed: ${name}. `, make("button", { type: "button", onclick: () => inTurn(() => open(wanted({ ...same, changes: {} }))) }, "The same, corrected"));
  else $("mistake").replaceChildren(`${id}: ${says}.`);
}

// What it costs

let curve = "";
export function showCurves() {
  const ours = it.opened.curves ?? [];
  $("curve").replaceChildren(...[["of this algorithm", true], ["of others", false]].map(([label, own]) => make("optgroup", { label },
    ...it.catalogue.curves.filter(({ id }) => ours.includes(id) === own).map(({ id, title }) => make("option", { value: id }, title)))));
  $("curve").value = ours.includes(curve) ? curve : ours[0] ?? it.catalogue.curves[0].id;
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

export function showProofs() {
  const { claims, told } = it.opened.proofs ?? { claims: [], told: null };
  $("claims").replaceChildren(...claims.map(({ id, kind, source, statement, scope, not_covered: not }) => make("details", {},
    make("summary", {}, make("b", {}, kind.replaceAll("-", " ")), statement),
    make("dl", {}, ...terms([["of", source], ["scope", scope], ["not covered", not], ["check it", `swagproof prove ${id} --explain`]].filter(([, said]) => said))))),
  claims.length ? "" : NOTHING());
  $("cases-box").hidden = !told;
  if (!told) return;
  $("cases-say").textContent = `${told.id}: the reference runs over unknown pointers and segments, along every path. Each of the ${told.cases.length} paths is a case, with the obligations that were shown for it. `
    + `[2, 5) is the product of the elements with the numbers 2, 3 and 4, whatever their values are. `
    + "The picture shows one small state; the obligations hold for every state that meets the invariant and follows this path.";
  $("cases").replaceChildren(...told.cases.map((each, number) => {
    const alike = told.cases.filter(({ run }) => run === each.run);
    return showCase(each, told.words, alike.length > 1 ? `${each.run}, case ${alike.indexOf(each) + 1} of ${alike.length}` : each.run, number);
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
  if (history === null) pictures.append(make("pre", {}, drawn || "nothing is unknown"),
    make("p", { className: "quiet" }, "No history was found that leads to this state: the proof covers more states than can be reached."));
  if (!fails) details.append(make("div", { className: "shown" }, "Shown: ", ...Object.entries(shown).map(([obligation, count]) =>
    showObligation(`${obligation}${count > 1 ? ` (${count})` : ""}`, words[obligation]))));
  if (cut) details.append(make("p", { className: "quiet" }, "The path ends where a loop starts its next iteration, or where no obligation is left."));
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
      figure.prepend(make("figcaption", {}, isWrong ? `after, with the mutant: ${answer.says}` : title));
      pictures.append(figure);
    }
  });
  return details;
}

// An obligation, with the formula if it is a clause.
const showObligation = (text, formula) => formula
  ? make("details", { className: "obligation" }, make("summary", {}, text), make("pre", {}, formula))
  : make("span", { className: "obligation" }, text);

function playCase({ name, fails, history }) {
  const over = { monoid: it.opened.monoids.includes("segments") ? "segments" : it.opened.monoid, own: "" };
  const before = history.length - 1;
  return playWith(fails && name, { ...over, history, right: fails ? before : 0 }, before);
}
