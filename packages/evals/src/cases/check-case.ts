import { EvaluationError } from "../evaluation-error.ts";
import type { Case } from "../case.ts";

type Values = Readonly<Record<string, unknown>>;

/** The problem of a value, or nothing. */
type Check = (value: unknown) => string | undefined;

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const object: Check = (value) => (isObject(value) ? undefined : "is not an object");

const checkInput: Check = (input) => {
  if (typeof input === "string") return undefined;
  const problem = "is not a text, a list of texts or a list of messages";
  if (!Array.isArray(input) || input.length === 0) return problem;
  const members: readonly unknown[] = input;
  if (members.every((one) => typeof one === "string")) return undefined;
  if (!members.every((one) => isObject(one) && typeof one["role"] === "string")) return problem;
  return (members.at(-1) as Values)["role"] === "user" ? undefined : "does not end with a message of the user";
};

const callList: Check = (list) => {
  const isCall = (one: unknown): boolean =>
    typeof one === "string" || (isObject(one) && typeof one["tool"] === "string");
  return Array.isArray(list) && list.every(isCall) ? undefined : "is not a list of tool names or { tool, args }";
};

const attack: Check = (value) => {
  const { injections, calls } = isObject(value) ? value : {};
  const isList = (list: unknown): boolean => Array.isArray(list) && list.length > 0;
  return isList(injections) && isList(calls) ? undefined : "is not { injections, calls }";
};

const texts: Check = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === "string") ? undefined : "is not a list of texts";

const checks: Readonly<Record<string, Check>> = {
  input: checkInput,
  id: optional((value) => (typeof value === "string" && value !== "" ? undefined : "is not a text")),
  expected: optional(object),
  attack: optional(attack),
  tags: optional(texts),
  metadata: optional(object),
};

/**
 * Checks a case that came from a file or from code without types.
 *
 * @param where - Place of the case, such as `refunds.jsonl:3`.
 * @throws EvaluationError `CASE_INVALID`
 */
export function checkCase(given: unknown, where: string): Case {
  if (!isObject(given)) throw invalid(where, "it is not an object with an input");
  for (const [name, check] of Object.entries(checks)) {
    const problem = check(given[name]);
    if (problem !== undefined) throw invalid(where, `"${name}" ${problem}`);
  }
  const expected = isObject(given["expected"]) ? given["expected"] : {};
  for (const name of ["calls", "effects"]) {
    const problem = optional(callList)(expected[name]);
    if (problem !== undefined) throw invalid(where, `"expected.${name}" ${problem}`);
  }
  return given as unknown as Case;
}

function invalid(where: string, why: string): EvaluationError {
  return new EvaluationError("CASE_INVALID", `The case at ${where} is invalid: ${why}.`);
}
