// Where the address leads: a link, a place that a lecture names, or a quiz.

import { inTurn, must, open, play, refit, trouble, wanted } from "./page.js";
import { $, it, make } from "./state.js";

// The text of a link, which carries the whole history: what it says, and what it must be like to be opened.

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const FIELDS = {
  a: ["algorithm", isText], m: ["monoid", isText], h: ["history", Array.isArray], s: ["at", Number.isInteger],
  o: ["options", isObject],
  c: ["changes", (value) => isObject(value) && Object.values(value).every(isText)],
};

// What a link opens; or what is wrong with it, in words.
function readLink(hash) {
  let short;
  try {
    short = JSON.parse(decodeURIComponent(hash.slice(1)));
  } catch {
    return "it is cut off, or was never one of this page";
  }
  if (!isObject(short) || !("a" in short)) return "it names no algorithm";
  const given = Object.entries(short).filter(([, value]) => value !== null);
  const odd = given.filter(([letter, value]) => !FIELDS[letter]?.[1](value)).map(([letter]) => letter);
  if (odd.length) return `it is of another form than this page's links: ${odd.join(", ")}`;
  return { changes: {}, ...Object.fromEntries(given.map(([letter, value]) => [FIELDS[letter][0], value])) };
}

function fragment() {
  const open = { ...wanted(), at: it.at };
  const isSaid = (value) => (isObject(value) ? Object.keys(value).length > 0 : value !== null && value !== "");
  const said = Object.entries(FIELDS).filter(([, [name]]) => isSaid(open[name]));
  return "#" + encodeURIComponent(JSON.stringify(Object.fromEntries(said.map(([letter, [name]]) => [letter, open[name]]))));
}

let remembering = 0;
export function remember() {
  clearTimeout(remembering);
  if (!it.opened.algorithm) return;
  remembering = setTimeout(writeAddress, 150);
}

function writeAddress() {
  history.replaceState(null, "", fragment());
  sessionStorage.setItem("written", location.hash);
}

// A link can carry code, any page can lead here, and what is opened is run.  So what this tab has not written itself is
// shown first.  Of what cannot be opened it is said why, and what is open instead.
export async function follow(hash) {
  const [, quizOf, quizAt] = /^#quiz[/](\w+)[/](\d+)$/.exec(hash) ?? [];
  if (quizOf) return showQuiz(quizOf, Number(quizAt));
  const place = /^#[\w:-]+[/][^{]*$/.test(hash) ? hash.slice(1) : "";
  if (place && (await open({ place, monoid: "letters" }))) return;
  const isLink = hash.length > 1 && !place && !document.getElementById(hash.slice(1));
  if (!isLink && it.opened) return; // a place on the page
  const link = isLink ? readLink(hash) : {};
  let why = isText(link) ? link : "";
  $("carried").hidden = true;
  if (isLink && !why) {
    const code = Object.values(link.changes);
    $("carried").hidden = !code.length || hash === sessionStorage.getItem("written");
    if ($("carried").hidden && (await open(link, link.at))) return;
    why = $("carried").hidden ? $("trouble").textContent : "";
    $("carried-code").textContent = code.join("\n");
    $("run-carried").onclick = () => inTurn(async () => {
      $("carried").hidden = true;
      await open(link, link.at);
    });
  }
  if (!it.opened && !(await open({ algorithm: "daba", monoid: "letters" }))) return;
  if (why) trouble(`The link cannot be opened: ${why.replace(/[.]$/, "")}. Open is ${it.opened.name} instead.`);
}

$("link").onclick = async () => {
  const isCopied = await navigator.clipboard?.writeText(location.origin + location.pathname + fragment()).then(() => true, () => false);
  if (!isCopied) writeAddress();
  $("link").textContent = isCopied ? "Copied" : "It is in the address bar";
  setTimeout(() => ($("link").textContent = "Copy link"), 2000);
};

// The quiz of a lecture: the answer is found by running, and shown.

async function showQuiz(lecture, number) {
  const quiz = await must({ do: "quiz", lecture, at: number });
  if (!quiz || !(await open(quiz.before))) return;
  $("quiz").hidden = false;
  $("question").textContent = `Question ${number + 1} of ${quiz.of}. ${quiz.question}`;
  refit(); // below the question there is less room
  $("choices").replaceChildren(...quiz.choices.map((choice) => make("button", { type: "button", onclick: () => inTurn(() => answerQuiz(lecture, number, choice)) }, choice)));
}

async function answerQuiz(lecture, number, choice) {
  const answer = await must({ do: "quiz", lecture, at: number, choice });
  if (!answer || !(await open(answer.open, answer.from))) return;
  $("quiz").hidden = false;
  $("question").append(make("br"), make("b", { className: answer.is_right ? "is-good" : "is-bad" }, `${choice}. ${answer.says}`), " Play shows why.");
  const next = number + 1 < answer.of
    ? make("button", { type: "button", className: "main", onclick: () => inTurn(() => showQuiz(lecture, number + 1)) }, "Next question")
    : make("a", { href: `lectures/${lecture}.html#exercises` }, "That was the last question: on to the exercises");
  $("choices").replaceChildren(next);
  play();
}
