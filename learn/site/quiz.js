// The quiz of a lecture: the answer is found by running, and shown.

import { inTurn, must, open, play, refit } from "./page.js";
import { $, make } from "./state.js";

export const LECTURES = { fifo: "in_order", "out of order": "out_of_order" };

export async function showQuiz(lecture, number) {
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
