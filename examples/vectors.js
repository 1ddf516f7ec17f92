// A FIFO window in JavaScript, judged only by the files that `swagproof vectors DIR` writes:
//
//     node vectors.js DIR [planted]
//
// Two stacks of running products.  With `planted`, it has a mistake: moving the back to the front swaps the operands.
"use strict";
const fs = require("fs");
const path = require("path");

// An aggregation: what an element becomes, the identity, and how two values combine.  Whole numbers are BigInt.
const AGGREGATIONS = {
  concatenation: { lift: (e) => e, identity: "", combine: (a, b) => a + b },
  sum: { lift: BigInt, identity: 0n, combine: (a, b) => a + b },
  "wide-sum": { lift: BigInt, identity: 0n, combine: (a, b) => a + b },
  "float-sum": { lift: (e) => e, identity: 0, combine: (a, b) => a + b },
  max: { lift: BigInt, identity: null, combine: (a, b) => (a === null ? b : b === null || b <= a ? a : b) },
  "mutable-collect": { lift: (e) => [BigInt(e)], identity: [], combine: (a, b) => [...a, ...b] },
};

class Window {
  constructor({ identity, combine }, planted) {
    Object.assign(this, { identity, combine, planted, older: [], newer: [], tail: identity });
  }
  insert(v) {
    this.newer.push(v);
    this.tail = this.combine(this.tail, v);
  }
  evict() {
    if (this.older.length === 0) {
      let product = this.identity;
      for (const v of this.newer.reverse()) {
        product = this.planted ? this.combine(product, v) : this.combine(v, product);
        this.older.push(product);
      }
      this.newer = [];
      this.tail = this.identity;
    }
    this.older.pop();
  }
  evictMany(count) {
    while (count-- > 0) this.evict();
  }
  query() {
    return this.combine(this.older.length ? this.older[this.older.length - 1] : this.identity, this.tail);
  }
}

// A value of the file: {"int": digits} is an integer that no float equals, {"float": "inf"} is infinity.
function decoded(data) {
  if (Array.isArray(data)) return data.map(decoded);
  if (data === null || typeof data !== "object") return data;
  if ("int" in data) return BigInt(data.int);
  if ("float" in data) return { nan: NaN, inf: Infinity, "-inf": -Infinity }[data.float];
  throw new Error(`a value that no aggregation here has: ${JSON.stringify(data)}`);
}

function same(answer, expected, within) {
  if (Array.isArray(expected)) return answer.length === expected.length && expected.every((e, i) => same(answer[i], e));
  if (typeof within === "number") return Math.abs(answer - expected) <= within;
  return typeof answer === "bigint" && typeof expected === "number" ? answer === BigInt(expected) : answer === expected;
}

function failure(vector, aggregation, planted) {
  const window = new Window(aggregation, planted);
  let asked = 0;
  for (const [name, element] of vector.operations) {
    if (name === "insert") window.insert(aggregation.lift(decoded(element)));
    else if (name === "evict") window.evict();
    else if (name === "bulk_evict") window.evictMany(element);
    else if (name === "begin_bulk" || name === "end_bulk") continue; // what is between them is inserted one by one
    else {
      const answer = window.query();
      const expected = decoded(vector.answers[asked]);
      if (!same(answer, expected, vector.within && vector.within[asked])) return { asked, answer, expected };
      asked++;
    }
  }
  return asked === vector.answers.length ? null : { asked, answer: "nothing", expected: "an answer" };
}

const [directory, planted] = process.argv.slice(2);
let passed = 0;
for (const [name, aggregation] of Object.entries(AGGREGATIONS)) {
  const file = path.join(directory, `fifo-${name}.json`);
  if (!fs.existsSync(file)) continue;
  const { format, version, flags, vectors } = JSON.parse(fs.readFileSync(file, "utf-8"));
  if (format !== "swagproof-vectors" || version !== 1) throw new Error(`${file}: not vectors of version 1`);
  for (const vector of vectors) {
    const found = failure(vector, aggregation, planted === "planted");
    if (found) {
      console.log(`${vector.id}: query ${found.asked + 1} answers ${found.answer}, not ${found.expected}`);
      for (const flag of vector.flags) console.log(`  ${flag} (${flags[flag].bug}): ${flags[flag].description}`);
      process.exit(1);
    }
    passed++;
  }
}
console.log(`${passed} vectors passed`);
process.exit(passed ? 0 : 2);
