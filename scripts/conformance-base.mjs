/**
 * The base that conformance must not fall below: the known claims, and the open ones among them.
 *
 * @module
 */

import { compare } from "./conformance-spec.mjs";

/**
 * @import { Proof } from "./conformance-report.mjs"
 *
 * @typedef {{ proved: string[], open: string[] }} Base
 */

/**
 * The claims that count as proved. Without results, a test that names the claim counts as passed.
 *
 * @param {Proof | undefined} proof
 * @param {boolean} measured whether test results were given
 * @returns {boolean}
 */
function isProved(proof, measured) {
  return proof?.verdict === "passed" || (!measured && proof?.verdict === "not run");
}

/**
 * The current base. Features are left out: they follow from the claims that prove them.
 *
 * @param {ReadonlyMap<string, Proof>} proofs
 * @param {boolean} measured
 * @returns {Base}
 */
export function makeBase(proofs, measured) {
  const keys = [...proofs.keys()].filter((key) => !key.startsWith("feature:")).sort(compare);
  return {
    proved: keys.filter((key) => isProved(proofs.get(key), measured)),
    open: keys.filter((key) => !isProved(proofs.get(key), measured)),
  };
}

/**
 * Compares the claims of the base, and only those, with their current state.
 *
 * @param {Base} base
 * @param {ReadonlyMap<string, Proof>} proofs
 * @param {boolean} measured
 * @returns {{ failures: string[], notes: string[] }} the violations, and notes for the reader
 */
export function compareToBase(base, proofs, measured) {
  const keys = [...base.proved, ...base.open];
  const gone = keys.filter((key) => !proofs.has(key)).sort(compare);
  const open = keys.filter((key) => proofs.has(key) && !isProved(proofs.get(key), measured));
  const lost = base.proved.filter((key) => open.includes(key)).sort(compare);
  /** @type {string[]} */
  const failures = [];
  if (gone.length > 0) failures.push(`claims of the base are gone from docs/spec: ${gone.join(", ")}`);
  if (open.length > base.open.length) {
    failures.push(
      `${open.length} claims of the base are open, ${base.open.length} were; newly open: ${lost.join(", ")}`,
    );
  }
  const notes = failures.length === 0 && lost.length > 0 ? [`proved at the base and open now: ${lost.join(", ")}`] : [];
  return { failures, notes };
}
