// What the page shows, which its parts share.  No state of an algorithm is here: Python says what there is to show.

export const it = {
  catalogue: null, // what there is to open
  opened: null, // what Python said of the algorithm that is open
  line: { steps: [], ends: [], history: [] }, // its timeline
  at: 0, // the step that is shown
  step: null, // what Python said of it
};

export const $ = (id) => document.getElementById(id);
export const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

export const terms = (rows) => rows.flatMap(([name, ...said]) => [make("dt", {}, name), make("dd", {}, ...said)]);

// The options of a select; what was chosen stays, where it can.
export function fill(select, options) {
  const chosen = select.value;
  select.replaceChildren(...options);
  if (options.some(({ value }) => value === chosen)) select.value = chosen;
}

export function said(place, text, kind = "") {
  $(place).className = kind && `is-${kind}`;
  $(place).textContent = text;
}
