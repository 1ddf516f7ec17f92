// Operations asked manually.

import { inTurn, keepTyped, must, show, stop, takeTimeline, trouble } from "./page.js";
import { $, it, make } from "./state.js";

export function showAsk() {
  const focused = $("ask").contains(document.activeElement) ? document.activeElement.id : "";
  $("ask").replaceChildren(...Object.entries(it.line.takes).map(([name, takes]) => {
    const inputs = takes.map((what, index) => {
      const usual = what === "element" ? it.line.next.element : what === "entries" ? usualEntries() : what === "count" ? 1 : ["size", "place"].includes(what) ? 2 : what === "ticket" ? 0 : name.endsWith("evict") ? it.line.next.oldest : index === 1 && what === "time" ? it.line.next.time - 1 : name === "range_query" ? it.line.next.oldest : it.line.next.time;
      return make("input", { id: `${name}-${index}`, value: usual, "aria-label": `${name}: ${what}`, autocomplete: "off", title: what });
    });
    const button = make("button", { type: "submit", value: name, className: name === "insert" ? "main" : "", disabled: it.line.failed }, name.replaceAll("_", " "));
    return make("span", { className: "one" }, button, ...inputs);
  }));
  keepTyped(...[...$("ask").querySelectorAll("input")].map(({ id }) => id));
  if (focused) $(focused)?.focus();
  showTimes();
}

// What a bulk insert takes is written as its inserts are, with commas between them: `3 b, 4 c`.
const usualEntries = () => [0, 1, 2].map((more) => (it.line.takes.insert[0] === "time" ? `${it.line.next.time + more} ${it.line.next.element}` : it.line.next.element)).join(", ");

const readEntries = (text) => text.trim() === "" ? [] : text.split(",").map((entry) => {
  const words = entry.trim().split(/\s+/);
  const takes = it.line.takes.insert;
  return words.map((word, index) => read(takes[index] ?? "element", word)); // too many or few are refused by Python
});

// Where an insert takes a time, a click on the axis inserts the element there; the field beside insert is the same by keyboard.
function showTimes() {
  const takes = it.line.takes.insert ?? [];
  $("times").hidden = takes[0] !== "time" || takes[1] !== "element" || it.line.failed;
  if ($("times").hidden) return;
  const { held, time } = it.line.next;
  const first = Math.floor(Math.min(...held, time - 1)) - 3;
  const last = Math.ceil(Math.max(...held, time)) + 3;
  const place = (at) => `left:${((at - first + 0.5) / (last - first + 1)) * 100}%`;
  const some = held.filter((_, number) => number % Math.ceil(held.length / 12) === 0);
  const mark = make("span", { className: "drop", hidden: true });
  const axis = make("div", { className: "axis" }, ...some.map((at) => make("span", { className: "held", style: place(at) }, String(at))), mark);
  const timeAt = ({ clientX }) => {
    const box = axis.getBoundingClientRect();
    return first + Math.floor(((clientX - box.left) / box.width) * (last - first + 1));
  };
  axis.onpointermove = (move) => {
    mark.hidden = false;
    mark.style = place(timeAt(move));
    mark.textContent = `t ${timeAt(move)}`;
  };
  axis.onpointerleave = () => { mark.hidden = true; };
  axis.onclick = (click) => {
    const operation = ["insert", timeAt(click), read("element", $("insert-1").value)];
    inTurn(() => perform([operation]));
  };
  $("times").replaceChildren(make("span", { className: "quiet" }, "click a time to insert there"), axis);
}

function read(what, text) {
  if (what === "entries") return readEntries(text);
  if (what === "element" && typeof it.line.next.element === "string") return text;
  const number = Number(text);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return text.trim() !== "" && isExact ? number : text; // what would be another number is refused, as the text that it is
}

$("ask").onsubmit = (event) => {
  event.preventDefault();
  const name = event.submitter?.value ?? Object.keys(it.line.takes)[0];
  const operation = [name, ...it.line.takes[name].map((what, index) => read(what, $(`${name}-${index}`).value))];
  inTurn(async () => {
    await perform([operation]);
    if (document.activeElement === document.body) $("ask").querySelector(`button[value="${name}"]`)?.focus(); // else elsewhere since
  });
};

async function perform(operations) {
  stop();
  const from = it.line.steps.length;
  const answer = await must({ do: "extend", operations });
  if (!answer) return;
  trouble("");
  takeTimeline(answer);
  await show(Math.min(from, answer.steps.length - 1));
}
