// What the papers say: errata, and what is claimed.

import { inTurn, must, open, play, wanted } from "./page.js";
import { $, it, make, terms } from "./state.js";

const NOTHING = () => make("p", { className: "quiet" }, "Nothing.");

// Plays a history with a registered mutant, or with the reference.
async function playWith(name, more) {
  const answer = name ? await must({ do: "mutant", name }) : { changes: {} };
  if (!answer || !(await open(wanted({ ...more, changes: answer.changes }), 0))) return false;
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

// What is proved

export function showClaims() {
  $("claims").replaceChildren(...it.opened.claims.map(({ id, kind, source, statement, scope, not_covered: not }) => make("details", {},
    make("summary", {}, make("b", {}, kind.replaceAll("-", " ")), statement),
    make("dl", {}, ...terms([["of", source], ["scope", scope], ["not covered", not], ["check it", `swagproof prove ${id} --explain`]].filter(([, said]) => said))))),
  it.opened.claims.length ? "" : NOTHING());
}
