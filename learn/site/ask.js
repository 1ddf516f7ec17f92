// The way to Python: a server on this machine, or a worker in this page.  Both take a message and give an answer.

const place = document.querySelector('meta[name="python"]').content;
const page = crypto.randomUUID ? crypto.randomUUID() : String(Math.random());

function token() {
  const given = /[#&]token=([\w-]+)/.exec(location.hash);
  if (given) {
    localStorage.setItem("token", given[1]);
    const rest = location.hash.replace(/[#&]token=[\w-]+/, "");
    history.replaceState(null, "", location.pathname + (rest ? "#" + rest.replace(/^[#&]/, "") : ""));
  }
  return localStorage.getItem("token") ?? "";
}

async function askServer(message) {
  const reply = await fetch("ask", {
    method: "POST",
    headers: { Authorization: `Bearer ${token()}`, "Content-Type": "application/json" },
    body: JSON.stringify({ page, message }),
  }).catch(() => null);
  if (!reply) return { error: "swagproof learn does not answer any more: start it again, and open the address that it prints" };
  return reply.ok ? reply.json() : { error: (await reply.text()).trim() };
}

export const ask = place === "server" ? askServer : (await import("./worker-host.js")).ask;
token();
