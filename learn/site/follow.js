// Where the address leads: a link, a place that a lecture names, or a quiz.

import { isText, readLink, writeLink } from "./links.js";
import { inTurn, open, trouble, wanted } from "./page.js";
import { showQuiz } from "./quiz.js";
import { $, it } from "./state.js";

function fragment() {
  const { algorithm, monoid, own, changes, history, options } = wanted();
  const short = { a: algorithm, m: monoid, h: history, s: it.at };
  if (own) short.w = own;
  if (Object.keys(changes).length) short.c = changes;
  if (Object.keys(options).length) short.o = options;
  if (it.opened.right) short.r = it.opened.right;
  if (it.opened.witnessed) short.v = it.opened.witnessed;
  return writeLink(short);
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
  if (!it.opened && !(await open({ algorithm: "daba", monoid: "letters" }))) return;
  if (why) trouble(`The link cannot be opened: ${why.replace(/[.]$/, "")}. Open is ${it.opened.name} instead.`);
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
