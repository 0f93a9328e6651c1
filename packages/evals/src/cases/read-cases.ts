import { canonicalJson, defaultHasher } from "@bailiwick/core/extension";
import { EvaluationError } from "../evaluation-error.ts";
import type { Case, CaseSource, NamedCase } from "../case.ts";
import { checkCase } from "./check-case.ts";

/**
 * Reads all cases of an evaluation, each with its id.
 *
 * @param given - Cases and sources of cases.
 * @throws EvaluationError `CASE_INVALID`, `CASE_TWICE` with both places.
 */
export async function readCases(given: readonly (Case | CaseSource)[]): Promise<readonly NamedCase[]> {
  const found = new Map<string, { readonly place: string; readonly one: NamedCase }>();
  const add = (one: Case, place: string): void => {
    const id = one.id ?? idOf(one.input);
    const before = found.get(id);
    if (before !== undefined)
      throw new EvaluationError(
        "CASE_TWICE",
        `Two cases have the id "${id}": ${before.place} and ${place}. Give one of them another "id".`,
      );
    found.set(id, { place, one: { ...one, id } });
  };
  for (const [index, entry] of given.entries()) {
    if (!isSource(entry)) {
      add(checkCase(entry, `cases[${index}]`), `cases[${index}]`);
      continue;
    }
    let number = 0;
    for await (const one of entry.read()) {
      number += 1;
      const place = placeOf(one) ?? `${entry.name}, case ${number}`;
      add(checkCase(one, place), place);
    }
  }
  return [...found.values()].map(({ one }) => one);
}

/** Places of cases in files, by case. */
const places = new WeakMap<object, string>();

/** Notes where a case was read. */
export function placed<One extends Case>(one: One, place: string): One {
  if (typeof one === "object" && one !== null) places.set(one, place);
  return one;
}

function placeOf(one: Case): string | undefined {
  return typeof one === "object" && one !== null ? places.get(one) : undefined;
}

function isSource(entry: Case | CaseSource): entry is CaseSource {
  return typeof entry === "object" && entry !== null && "read" in entry;
}

/** The first words of an input, with a hash. */
function idOf(input: Case["input"]): string {
  const first = Array.isArray(input) ? (input as readonly unknown[])[0] : input;
  const words = typeof first === "string" ? first : "messages";
  const slug = words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "")
    .slice(0, 32);
  return `${slug}-${defaultHasher().sha256(canonicalJson(input)).slice(0, 8)}`;
}
