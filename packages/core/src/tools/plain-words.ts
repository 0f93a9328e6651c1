import type { Tool } from "../contracts/tool.ts";
import type { ToolFlow, ToolOutputTrust } from "../contracts/tool-flow.ts";
import type { SideEffectClass } from "../contracts/vocabularies.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";

/** The plain words of a tool, and the fields that they are short for. */
export type PlainWords = Pick<Tool, "returns" | "changes" | "decides" | "confirms"> & {
  readonly sideEffectClass?: SideEffectClass | undefined;
  readonly flow?: ToolFlow | undefined;
  readonly output?: ToolOutputTrust | undefined;
};

/** The effect that each word of `changes` stands for. */
const effects: Readonly<Record<NonNullable<Tool["changes"]>, SideEffectClass>> = {
  nothing: "read-only",
  own: "side-effecting",
  outside: "external-stateful",
};

/** The integrity that each word of `returns` stands for. */
const integrities: Readonly<Record<NonNullable<Tool["returns"]>, NonNullable<ToolOutputTrust["integrity"]>>> = {
  own: "verified",
  outside: "untrusted",
  mixed: "untrusted",
};

/** A plain word, and the field that it is short for. */
const pairs: readonly (readonly [keyof PlainWords, string, (words: PlainWords) => unknown])[] = [
  ["returns", "output", ({ output }) => output],
  ["changes", "sideEffectClass", ({ sideEffectClass }) => sideEffectClass],
  ["decides", "flow.authority", ({ flow }) => flow?.authority],
  ["confirms", "flow.confirms", ({ flow }) => flow?.confirms],
];

/**
 * Refuses a plain word beside the field that it is short for.
 *
 * @param what - The place of the words, for the message: `Tool "find_order"`.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkPlainWords(words: PlainWords, what: string): void {
  for (const [word, field, read] of pairs) {
    if (words[word] === undefined || read(words) === undefined) continue;
    throw new ConfigurationError(
      "INVALID_OPTION",
      `${what}: "${word}" is short for "${field}", and both are given. Leave one of them out.`,
    );
  }
}

/**
 * The same declarations without the plain words.
 *
 * @param given - A tool, or its operator's classification; an object without plain words is returned as it is.
 */
export function inLongForm<T extends PlainWords>(given: T): T {
  const { returns, changes, decides, confirms, ...others } = given;
  if (returns === undefined && changes === undefined && decides === undefined && confirms === undefined) return given;
  const flow = {
    ...given.flow,
    ...(decides !== undefined && { authority: decides }),
    ...(confirms !== undefined && { confirms }),
  };
  return {
    ...others,
    ...(returns !== undefined && { output: { integrity: integrities[returns] } }),
    ...(changes !== undefined && { sideEffectClass: effects[changes] }),
    ...(Object.keys(flow).length > 0 && { flow }),
  } as T;
}

/**
 * The effect that a tool or its operator declares, in either form.
 *
 * @param words - The declarations.
 */
export function declaredEffect(words: PlainWords): SideEffectClass | undefined {
  const { sideEffectClass, changes } = words;
  return changes === undefined ? sideEffectClass : effects[changes];
}
