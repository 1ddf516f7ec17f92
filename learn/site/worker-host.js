// The worker that Python runs in: one that does not answer in time is ended, and the next message starts another.

// Milliseconds; a search says itself how many seconds it takes, on top of that.
const PATIENCE = 1000 * Number(document.querySelector('meta[name="patience"]')?.content ?? 20);
const LOADING = 180_000;
const runtime = new URL(document.querySelector('meta[name="pyodide"]').content, document.baseURI).href;
const source = new URL("swagproof.zip", document.baseURI).href;

let worker = null;
let ready = null;
let waiting = new Map();
let count = 0;

function end() {
  worker?.terminate();
  worker = ready = null;
  for (const answer of waiting.values()) answer({ error: "stopped: it did not return within the time limit", stopped: true });
  waiting = new Map();
}

function start() {
  worker = new Worker("worker.js", { type: "module" });
  ready = new Promise((resolve) => {
    const late = setTimeout(() => { resolve(false); end(); }, LOADING);
    worker.onmessage = ({ data }) => {
      if (data.ready) {
        clearTimeout(late);
        resolve(true);
        return;
      }
      if (data.id === undefined) resolve(data.answer);
      waiting.get(data.id)?.(data.answer);
      waiting.delete(data.id);
      if (data.broken) end();
    };
    worker.onerror = (event) => { resolve({ error: `Python could not be loaded: ${event.message}` }); };
    worker.postMessage({ load: { runtime, source } });
  });
}

export async function ask(message) {
  if (!worker) start();
  const loaded = await ready;
  if (loaded !== true) return loaded || { error: "Python was not loaded in three minutes" };
  const id = ++count;
  return new Promise((resolve) => {
    const late = setTimeout(end, PATIENCE + 3000 * (message.budget ?? 0));
    waiting.set(id, (answer) => { clearTimeout(late); resolve(answer); });
    worker.postMessage({ id, message });
  });
}
