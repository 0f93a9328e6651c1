/**
 * Puts all candidate edits of a file into it at once, each behind a switch, so that trying one costs no more than the
 * tests.
 */
import { candidatesOf } from "./candidate-breaks.mjs";

/** @typedef {import("./candidate-breaks.mjs").Candidate} Candidate */

/** Most candidates of a process. */
const most = 2 ** 18;
/** Candidates that ran since the last {@link takeHits}. */
const hits = new Uint8Array(most);
/** The path and number of each candidate. @type {{ path: string, index: number }[]} */
const all = [];
/** @type {Map<string, number>} */
const firstOf = new Map();
let active = -1;

Object.assign(globalThis, {
  /** True if an edit is on. @param {number} id */
  __on: (id) => {
    hits[id] = 1;
    return id === active;
  },
  /** A condition, forced if one of its edits is on. @param {number} off @param {number} on @param {unknown} value */
  __test: (off, on, value) => {
    hits[value ? off : on] = 1;
    return active === off ? false : active === on ? true : value;
  },
});

/** Switches one edit on; none without a path. @param {string} [path] @param {number} [index] */
export function switchOn(path, index = 0) {
  const first = path === undefined ? undefined : firstOf.get(path);
  active = first === undefined ? -1 : first + index;
  return first !== undefined;
}

/** The candidates that ran since the last call: numbers within their files. @returns {Record<string, number[]>} */
export function takeHits() {
  /** @type {Record<string, number[]>} */
  const files = {};
  for (let id = 0; id < all.length; id += 1) {
    const one = all[id];
    if (hits[id] === 1 && one !== undefined) (files[one.path] ??= []).push(one.index);
    hits[id] = 0;
  }
  return files;
}

/**
 * The file with a switch for each of its candidates.
 *
 * @param {string} path
 * @param {string} source
 */
export function switched(path, source) {
  const candidates = candidatesOf(source);
  const first = all.length;
  firstOf.set(path, first);
  for (const index of candidates.keys()) all.push({ path, index });
  const ordered = candidates
    .map((candidate, index) => ({ ...candidate, id: first + index }))
    .toSorted((a, b) => a.start - b.start || b.end - a.end || a.id - b.id);
  let next = 0;
  /** @type {(from: number, to: number) => string} */
  const textOf = (from, to) => {
    let text = "";
    let at = from;
    while (next < ordered.length) {
      const one = /** @type {typeof ordered[number]} */ (ordered[next]);
      if (one.start >= to && !(one.start === one.end && one.start === to)) break;
      if (one.start < at) {
        // Ranges that cross have no switch.
        next += 1;
        continue;
      }
      const same = [one];
      next += 1;
      for (let other = ordered[next]; other !== undefined; other = ordered[next]) {
        if (other.start !== one.start || other.end !== one.end) break;
        same.push(other);
        next += 1;
      }
      text += source.slice(at, one.start) + withSwitches(same, textOf(one.start, one.end));
      at = one.end;
    }
    return text + source.slice(at, to);
  };
  return textOf(0, source.length);
}

/** @type {(same: readonly (Candidate & { id: number })[], text: string) => string} */
function withSwitches(same, text) {
  const [one] = same;
  if (one === undefined) return text;
  const { kind, id } = one;
  const tail = /,?$/u.exec(text)?.[0] ?? "";
  if (kind === "body") return ` if (__on(${id})) return undefined as never; ${text}`;
  if (kind === "statement") return `{ if (!__on(${id})) { ${text} } }`;
  if (kind === "spread") return `...(__on(${id}) ? [] : ${text.slice(3, text.length - tail.length)})${tail}`;
  if (kind === "shorthand") return `${text}: (__on(${id}) ? undefined : ${text})`;
  const values = same.filter((each) => each.kind === "value");
  const value = `(${values.map((each) => `__on(${each.id}) ? (${each.replacement}) : `).join("")}(${text}))`;
  const idOf = (/** @type {string} */ forced) =>
    same.find((each) => each.kind === "test" && each.replacement === forced)?.id ?? most - 1;
  return values.length === same.length ? value : `__test(${idOf("false")}, ${idOf("true")}, ${value})`;
}
