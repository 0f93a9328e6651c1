import { checkArgument } from "@bailiwick/core";
import { compileSchema } from "@bailiwick/core/extension";
import type { Schema } from "@bailiwick/core";
import { named, type Scorer } from "../score.ts";
import { matches, shown } from "./matches.ts";

/**
 * The answer is the expected one: the same text, or a structured output with the same members.
 *
 * @returns a scorer that applies to cases with `expected.answer`.
 */
export function exact(): Scorer {
  return named("exact", ({ case: { expected }, output }) => {
    const answer = expected?.answer;
    if (answer === undefined) return undefined;
    const got = typeof answer === "string" ? output.text : output.structured;
    const same = typeof answer === "string" ? got === answer : matches(got, answer) && matches(answer, got);
    return { value: same ? 1 : 0, ...(!same && { reason: `expected ${shown(answer)}, got ${shown(got)}` }) };
  });
}

/**
 * The answer has a text in it, in upper or lower case.
 *
 * @param text - The text. Default: `expected.answer` of the case.
 */
export function includes(text?: string): Scorer {
  if (text !== undefined) checkArgument(text, "string", 'includes("Paris")');
  return named("includes", ({ case: { expected }, output }) => {
    const wanted = text ?? expected?.answer;
    if (wanted === undefined) return undefined;
    if (typeof wanted !== "string")
      throw new TypeError("expected.answer is not a text. Use exact() for structured answers");
    const found = output.text.toLowerCase().includes(wanted.toLowerCase());
    return { value: found ? 1 : 0, ...(!found && { reason: `expected "${shown(wanted)}" in ${shown(output.text)}` }) };
  });
}

/**
 * The answer matches a pattern.
 *
 * @param pattern - The pattern.
 */
export function regex(pattern: RegExp): Scorer {
  checkArgument(pattern, "exec", "regex(/paris/i)");
  return named("regex", ({ output }) => {
    const found = new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/gu, "")).test(output.text);
    return { value: found ? 1 : 0, ...(!found && { reason: `expected ${pattern} in ${shown(output.text)}` }) };
  });
}

/** The structured output has the fields of `expected.fields`; the score is the share of those that it has. */
export function fields(): Scorer {
  return named("fields", ({ case: { expected }, output }) => {
    const wanted = Object.entries(expected?.fields ?? {});
    if (wanted.length === 0) return undefined;
    const got = (output.structured ?? {}) as Readonly<Record<string, unknown>>;
    const wrong = wanted.filter(([name, value]) => !matches(got[name], value));
    return {
      value: (wanted.length - wrong.length) / wanted.length,
      ...(wrong.length > 0 && {
        reason: wrong.map(([name, value]) => `${name}: expected ${shown(value)}, got ${shown(got[name])}`).join("; "),
      }),
    };
  });
}

/**
 * The answer fits a schema: the structured output, or the text as JSON.
 *
 * @param wanted - A schema, such as one of Zod.
 */
export function schema(wanted: Schema): Scorer {
  const compiled = compileSchema(wanted, { what: "The schema of schema()" });
  return named("schema", async ({ output }) => {
    const value = output.structured ?? jsonOf(output.text);
    if (value === undefined) return { value: 0, reason: `the answer is not JSON: ${shown(output.text)}` };
    const checked = await compiled.validate(value);
    if (checked.ok) return 1;
    return { value: 0, reason: checked.issues.map(({ message }) => message).join("; ") };
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
