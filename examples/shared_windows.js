// Windows of several sizes over one stream, in JavaScript (Node).  Run: node shared_windows.js;
// with the argument "bug" the ring of running products is one element too short for the largest window.
"use strict";

const PRIME = (1n << 61n) - 1n;
const MONOIDS = {
  sum: {
    identity: 0n,
    combine: (a, b) => a + b,
    read: (text) => BigInt(text),
    write: (a) => a.toString(),
  },
  affine: {
    identity: [1n, 0n],
    combine: ([a, b], [c, d]) => [(a * c) % PRIME, (c * b + d) % PRIME],
    read: (text) => text.split(" ").map(BigInt),
    write: (a) => a.join(" "),
  },
  concatenation: { identity: "", combine: (a, b) => a + b, read: (text) => text, write: (a) => a },
};
const short = process.argv[2] === "bug" ? 1 : 0;

class SharedWindows {
  constructor(monoid) {
    Object.assign(this, { monoid, sizes: [], newest: [] });
  }
  register(size) {
    this.sizes.push(size);
  }
  insert(value) {
    this.newest.push(value);
    const most = Math.max(...this.sizes);
    if (this.newest.length > Math.max(1, most - short)) this.newest.shift();
  }
  lookup(size) {
    return this.newest.slice(-size).reduce(this.monoid.combine, this.monoid.identity);
  }
}

let windows;
let answers = "";
const does = {
  swagproof: () => (answers += `swagproof 1 window=shared monoids=${Object.keys(MONOIDS)}\n`),
  reset: (name) => (windows = new SharedWindows(MONOIDS[name])),
  register: (size) => windows.register(Number(size)),
  insert: (text) => windows.insert(windows.monoid.read(text)),
  lookup: (size) => (answers += windows.monoid.write(windows.lookup(Number(size))) + "\n"),
  flush: () => {
    process.stdout.write(answers);
    answers = "";
  },
};

require("node:readline")
  .createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on("line", (line) => {
    const space = line.indexOf(" ");
    does[space < 0 ? line : line.slice(0, space)](space < 0 ? "" : line.slice(space + 1));
  });
