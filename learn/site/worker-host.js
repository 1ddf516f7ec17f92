// The worker that Python runs in: one that does not answer in time is ended, and the next message starts another.

const PATIENCE = 60; // seconds: Python is slower here than in a process
const LOADING = 180_000;
const runtime = new URL(document.querySelector('meta[name="pyodide"]').content, document.baseURI).href;
const source = new URL("swagproof.zip", document.baseURI).href;

let worker = null;
let ready = null;
let waiting = new Map();
let count = 0;

function end(why) {
  worker?.terminate();
  worker = ready = null;
  for (const answer of waiting.values()) answer({ error: `Stopped: ${why}. What was open before is open again.`, stopped: true });
  waiting = new Map();
}

function start() {
  worker = new Worker("worker.js", { type: "module" });
  ready = new Promise((resolve) => {
    const late = setTimeout(() => { resolve(false); end("Python was not loaded"); }, LOADING);
    worker.onmessage = ({ data }) => {
      if (data.ready) {
        clearTimeout(late);
        resolve(true);
      } else {
        if (data.id === undefined) resolve(data.answer);
        waiting.get(data.id)?.(data.answer);
        waiting.delete(data.id);
        if (data.broken) end("Python ended");
      }
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
    const late = setTimeout(() => end(`nothing was heard of it for ${PATIENCE} seconds; it may never end`), 1000 * PATIENCE);
    waiting.set(id, (answer) => { clearTimeout(late); resolve(answer); });
    worker.postMessage({ id, message });
  });
}
