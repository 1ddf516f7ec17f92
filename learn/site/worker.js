// Python in a worker: it loads Pyodide and the source, and answers messages as the server's processes do.

let handle = null;

async function load({ runtime, source }) {
  const { loadPyodide } = await import(new URL("pyodide.mjs", runtime));
  const [pyodide, archive] = await Promise.all([
    loadPyodide({ indexURL: runtime }),
    fetch(source).then((reply) => reply.arrayBuffer()),
  ]);
  pyodide.unpackArchive(archive, "zip", { extractDir: "/source" });
  handle = pyodide.runPython(`
import sys, json
sys.path.insert(0, "/source")
from swagproof.learn.session import Session
session = Session()
lambda message: json.dumps(session.handle(json.loads(message)))
`);
}

self.onmessage = async ({ data }) => {
  try {
    if (data.load) {
      await load(data.load);
      self.postMessage({ ready: true });
    } else {
      self.postMessage({ id: data.id, answer: JSON.parse(handle(JSON.stringify(data.message))) });
    }
  } catch (error) {
    self.postMessage({ id: data.id, answer: { error: `Python ended: ${String(error.message ?? error).trim().split("\n").pop()}`, stopped: true }, broken: true });
  }
};
