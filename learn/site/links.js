// The text of a link, which carries the whole history: what it says, and what it must be like to be opened.

export const writeLink = (short) => "#" + encodeURIComponent(JSON.stringify(short));

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const isText = (value) => typeof value === "string";
const FIELDS = {
  a: isText, m: isText, h: Array.isArray, s: Number.isInteger, w: isText, r: Number.isInteger, o: isObject, v: Array.isArray,
  c: (value) => isObject(value) && Object.values(value).every(isText),
};

// What a link opens.  Throws what is wrong with it, in words.
export function readLink(hash) {
  let short;
  try {
    short = JSON.parse(decodeURIComponent(hash.slice(1)));
  } catch {
    throw "it is cut off, or was never one of this page";
  }
  if (!isObject(short) || !("a" in short)) throw "it names no algorithm";
  const odd = Object.entries(short).filter(([name, value]) => value !== null && !FIELDS[name]?.(value)).map(([name]) => name);
  if (odd.length) throw `it is of another form than this page's links: ${odd.join(", ")}`;
  return { algorithm: short.a, monoid: short.m, history: short.h, own: short.w, changes: short.c ?? {}, options: short.o ?? {}, right: short.r ?? 0, witnessed: short.v ?? null, at: short.s };
}
