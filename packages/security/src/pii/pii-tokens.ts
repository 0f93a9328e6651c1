import type { JsonValue, RunContext } from "@bailiwick/core";

import type { PiiFinding } from "./find-pii.ts";

/** What tokens are kept in: a run's context. */
export type TokenState = Pick<RunContext, "getState" | "setState">;

/** Key of the session's state under which the values are. */
const stateKey = "pii.tokens";

const alphabet = "bcdfghjkmnpqrstvwxz23456789";
const token = /\[(?:email|phone|iban|credit-card|ip-address|us-ssn):[a-z0-9]{10}\]/g;

type Values = Readonly<Record<string, string>>;

const valuesOf = (state: Pick<TokenState, "getState">): Values => state.getState<Values>(stateKey) ?? {};

/** The token that stands for a value: the same one for the same value; nobody can guess it. */
export function tokenFor({ kind, value }: PiiFinding, state: TokenState): string {
  const values = valuesOf(state);
  const known = Object.keys(values).find((one) => values[one] === value && one.startsWith(`[${kind}:`));
  if (known !== undefined) return known;
  const letters = crypto.getRandomValues(new Uint8Array(10));
  const made = `[${kind}:${Array.from(letters, (letter) => alphabet[letter % alphabet.length]).join("")}]`;
  state.setState(stateKey, { ...values, [made]: value });
  return made;
}

/** The text with every known token replaced by its value. */
export function restoreTokens(text: string, state: Pick<TokenState, "getState">): string {
  if (!text.includes("[")) return text;
  const values = valuesOf(state);
  return text.replaceAll(token, (found) => (Object.hasOwn(values, found) ? (values[found] ?? found) : found));
}

/** A JSON value with the tokens in its strings replaced; the same value where there are none. */
export function restoreDeep(value: unknown, state: Pick<TokenState, "getState">): unknown {
  if (typeof value === "string") return restoreTokens(value, state);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => restoreDeep(item, state));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value as Record<string, JsonValue>);
  const restored = entries.map(([key, item]): [string, unknown] => [key, restoreDeep(item, state)]);
  return restored.some(([, item], index) => item !== entries[index]?.[1]) ? Object.fromEntries(restored) : value;
}
