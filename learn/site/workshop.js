// Break it, and judge mine.

import { inTurn, keepTyped, must, open, play, show, stop, takeTimeline, wanted } from "./page.js";
import { $, fill, it, make, said } from "./state.js";
import { showOpened } from "./text.js";

async function busy(button, place, words, work) {
  stop();
  button.disabled = true;
  said(place, words);
  try { await inTurn(work); } finally { button.disabled = false; }
}

export function showWorkshop() {
  fill($("mutant"), [make("option", { value: "" }, it.opened.mutants.length ? "choose one" : "none is registered"),
    ...it.opened.mutants.map(({ name, hidden }) => make("option", { value: name }, hidden ? `${name} (no answer shows it)` : name))]);
  const changed = Object.keys(it.opened.changed);
  const usual = it.opened.functions.find(({ name }) => /\.(fixup|evict|repair_aggs)$/.test(name)) ?? it.opened.functions[0];
  const wasFunction = $("function").value;
  fill($("function"), it.opened.functions.map(({ name }) => make("option", { value: name }, name)));
  if (changed.length || $("function").value !== wasFunction) $("function").value = changed[0] ?? usual?.name ?? "";
  keepTyped("function");
  showSource();
  keepTyped("source");
  $("mistake").hidden = !changed.length;
  $("mistake").textContent = changed.length ? `Not the reference: ${changed.join(", ")} ${changed.length > 1 ? "are" : "is"} changed.` : "";
}

function showSource() {
  const found = it.opened.functions.find(({ name }) => name === $("function").value);
  $("source").value = found ? found.lines.map(({ text }) => text).join("\n") : "";
}

$("function").onchange = showSource;
$("mutant").onchange = () => {
  const name = $("mutant").value;
  return inTurn(async () => {
    if (!name) return open(wanted({ changes: {} }));
    const answer = await must({ do: "mutant", name });
    if (answer && (await open(wanted({ changes: answer.changes })))) said("found", `${name}: what does it break?`);
  });
};
$("restore").onclick = () => {
  $("mutant").value = "";
  inTurn(() => open(wanted({ changes: {} })));
};
$("run-source").onclick = () => {
  const changed = { [$("function").value]: $("source").value };
  inTurn(() => open(wanted({ changes: { ...it.opened.changed, ...changed } }), null, showSyntaxError));
};
// Beside the editor, which shows the line.
function showSyntaxError(error) {
  said("found", error, "bad");
  const number = Number(/line (\d+)/.exec(error)?.[1]);
  const lines = $("source").value.split("\n");
  if (!number || number > lines.length) return;
  const start = lines.slice(0, number - 1).join("\n").length + (number > 1);
  $("source").focus();
  $("source").setSelectionRange(start, start + lines[number - 1].length);
}
$("find").onclick = () => busy($("find"), "found", "Searching …", async () => {
  const name = $("mutant").value;
  const answer = await must({ do: "break" }, (error) => said("found", error, "bad"));
  if (!answer) return;
  if (!answer.history && answer.outcome === "violated") return said("found", answer.sentence, "bad");
  if (!answer.history) {
    const rows = it.opened.mutants.find((each) => each.name === name)?.rows ?? [];
    const refuted = rows.length ? ` It is refuted by ${rows.slice(0, 3).join(", ")}: swagproof prove ${rows[0]} --explain.` : "";
    return said("found", `Nothing was found, in the open setting or over other monoids and options. ${answer.tried ? `${answer.tried[0].toUpperCase()}${answer.tried.slice(1)}. ` : ""}The oracle: ${answer.sentence}.${refuted}`, "odd");
  }
  await open(wanted({ ...answer.over, history: answer.history }), 0);
  $("mutant").value = name;
  const first = (kind) => it.line.steps.findIndex((each) => each[3] >= kind);
  const number = first(2) < 0 ? first(1) : first(2); // an invariant that the paper names, before costs and answers
  if (number >= 0) await show(number, { still: true });
  const broken = number < 0 ? [] : it.opened.clauses.filter((_, place) => it.step.looks[place].holds !== true);
  const where = number < 0 ? "" : ` after operation ${it.step.operation + 1}, ${it.step.label}`;
  const leads = broken.length ? broken.map(({ name, formula }) => `Broken invariant: ${name},${where}.\n${formula}`).join("\n")
    : number < 0 ? "" : `No invariant is broken. Not met${where}: ${it.step.fails}.`;
  const built = Object.values(it.opened.options).map(({ label, value, choices }) => `, ${label} ${choices.find(([each]) => each === value)[1]}`).join("");
  const over = answer.elsewhere ? `Over ${it.opened.monoid}${built}: ` : "";
  const answers = answer.outcome === "violated" ? `${answer.sentence}.` : it.step.fails.includes("should be") ? "An answer is wrong." : "No answer was found that shows it.";
  said("found", `${leads}\n${over}${answers}${unseen()}`.trim(), "bad");
  document.querySelector(".first").scrollIntoView({ block: "start" });
});

// Of a wrong answer that playing does not show: the page combines objects that record what they are products of.
const unseen = () => it.line.steps.some((each) => each[3]) ? "" : "\nPlaying it here shows no error: the page combines objects, not bare values.";

$("judge-kind").onchange = () => {
  if (Object.values(it.catalogue.examples).includes($("mine").value)) $("mine").value = it.catalogue.examples[$("judge-kind").value];
};
$("judge").onclick = () => {
  const asked = { do: "judge", source: $("mine").value, window: $("judge-kind").value, monoid: $("monoid").value };
  return busy($("judge"), "verdict", "Judging …", async () => {
    const answer = await must(asked, (error) => said("verdict", error, "bad"));
    if (!answer) return;
    it.opened = { ...answer, asked: { ...asked, monoid: answer.monoid } }; // which may be another than was chosen
    showOpened();
    takeTimeline(answer);
    await show(0, { still: true });
    said("verdict", `${answer.outcome}: ${answer.sentence}${answer.outcome === "violated" && answer.history ? unseen() : ""}`, { conforms: "good", violated: "bad" }[answer.outcome] ?? "odd");
    play();
  });
};
