import type { JsonValue, RunContext } from "@bailiwick/core";

import type { PiiFinding } from "./find-pii.ts";

/** The session state that keeps the tokens: a run context. */
export type TokenState = Pick<RunContext, "getState" | "setState" | "sessionState">;

/** Each token has its own key in the session's state, so that two runs at once lose none. */
const keyOf = (made: string): string => `pii.token.${made}`;

const alphabet = "bcdfghjkmnpqrstvwxz23456789";
const token = /\[(?:email|phone|iban|credit-card|ip-address|us-ssn):[a-z0-9]{10}\]/g;

/** The token of a value: the same token for the same value; it cannot be guessed. */
export function tokenFor({ kind, value }: PiiFinding, state: TokenState): string {
  const begin = keyOf(`[${kind}:`);
  const known = Object.entries(state.sessionState).find(([key, kept]) => kept === value && key.startsWith(begin));
  if (known !== undefined) return known[0].slice(keyOf("").length);
  const letters = crypto.getRandomValues(new Uint8Array(10));
  const made = `[${kind}:${Array.from(letters, (letter) => alphabet[letter % alphabet.length]).join("")}]`;
  state.setState(keyOf(made), value);
  return made;
}

/** The text with every known token replaced by its value. */
export function restoreTokens(text: string, state: Pick<TokenState, "getState">): string {
  if (!text.includes("[")) return text;
  return text.replaceAll(token, (found) => state.getState<string>(keyOf(found)) ?? found);
}

/** A JSON value with the tokens in its strings replaced; the same value if there are none. */
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
