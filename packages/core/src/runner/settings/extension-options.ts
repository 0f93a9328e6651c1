import type { AgentOptions, RunSettings } from "../../contracts/run-options.ts";
import type { Extension, ExtensionOptions } from "../../contracts/extension.ts";
import type { MergeRule } from "./option-row.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { checkNames, inside, isObject, list, type Check } from "../../errors/value-checks.ts";

/** The settings that an extension may make stricter. The compiler checks that the list is complete. */
const tightening: { readonly [Name in keyof Required<ExtensionOptions>]: true } = {
  approval: true,
  flow: true,
  guardrails: true,
  budget: true,
};

const extensionOptionNames: readonly (keyof ExtensionOptions)[] = Object.keys(tightening) as (keyof ExtensionOptions)[];

/** A setting's value together with the values that extensions request: the strictest applies. */
export function withExtensionOptions(
  { merge }: { readonly merge: MergeRule<unknown> },
  name: string,
  value: unknown,
  extensions: readonly Extension[] | undefined,
): unknown {
  if (extensions === undefined || !Object.hasOwn(tightening, name) || merge.rule === "replace") return value;
  let joined = value;
  for (const { options } of extensions) {
    const asked = options?.[name as keyof ExtensionOptions];
    if (asked !== undefined) joined = merge.join(joined, asked, () => undefined);
  }
  return joined;
}

/** An agent's options with the tools of its extensions, and with their stricter settings. */
export function withExtensions(
  options: AgentOptions,
  rows: { readonly [Name in keyof ExtensionOptions]-?: { readonly merge: MergeRule<RunSettings[Name]> } },
): AgentOptions {
  const { extensions, tools } = options;
  if (extensions === undefined || extensions.length === 0) return options;
  const stricter = Object.fromEntries(
    extensionOptionNames.map((name) => [
      name,
      withExtensionOptions(rows[name] as { readonly merge: MergeRule<unknown> }, name, options[name], extensions),
    ]),
  );
  const brought = extensions.flatMap((extension) => extension.tools ?? []);
  const joined = { ...options, ...stricter };
  if (brought.length === 0) return joined;
  return {
    ...joined,
    tools:
      typeof tools === "function" ? async (ctx) => [...(await tools(ctx)), ...brought] : [...(tools ?? []), ...brought],
  };
}

/** The agent's extensions, then those of the run; an extension of both is listed once. */
export function joinExtensions(
  agent: readonly Extension[] | undefined,
  run: readonly Extension[] | undefined,
): readonly Extension[] | undefined {
  return agent === undefined || run === undefined ? (agent ?? run) : [...new Set([...agent, ...run])];
}

const functions = ["beforeModel", "gate", "result", "afterTurn", "beforeEnd"] as const;
const names: readonly string[] = ["name", "initialState", "tools", "options", "onRecord", ...functions];

/** A list of extensions whose names differ. */
export const extensionList: Check = (value) => {
  if (!Array.isArray(value)) return "is a list of extensions";
  const seen = new Set<string>();
  for (const [index, extension] of value.entries()) {
    const wrong = wrongIn(extension);
    if (wrong !== undefined) return inside(index, wrong);
    const { name } = extension as Extension;
    if (seen.has(name)) return inside(index, `has the name "${name}" a second time; rename one of them`);
    seen.add(name);
  }
  return undefined;
};

function wrongIn(extension: unknown): string | undefined {
  if (!isObject(extension)) return "is an extension: an object with a name and functions";
  const { name, tools, onRecord, options } = extension as Partial<Extension>;
  if (typeof name !== "string" || name === "") return 'has no name; give each extension a "name"';
  for (const key of functions)
    if (extension[key] !== undefined && typeof extension[key] !== "function") return inside(key, "is a function");
  if (tools !== undefined && list(tools) !== undefined) return inside("tools", "is a list of tools");
  if (onRecord !== undefined && (!Array.isArray(onRecord.types) || typeof onRecord.hear !== "function"))
    return inside("onRecord", "is { types, hear }");
  if (options !== undefined && !isObject(options)) return inside("options", "is an object");
  return undefined;
}

/**
 * Refuses unknown fields of an extension, and fields that an extension of a run cannot have.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 */
export function checkExtensions(extensions: readonly Extension[] | undefined, place: string, isRun: boolean): void {
  for (const extension of extensions ?? []) {
    const where = `Extension "${extension.name}" of ${place}`;
    checkFields(where, "field", extension, names);
    if (extension.options !== undefined) checkFields(where, "option", extension.options, extensionOptionNames);
    const message = `${where} has tools. Pass it to the agent: a run cannot add tools.`;
    if (isRun && extension.tools !== undefined) throw new ConfigurationError("INVALID_OPTION", message);
  }
}

/**
 * Refuses two extensions of the same name in a run, because they would share their state.
 *
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkExtensionNames(extensions: readonly Extension[], agentName: string): void {
  const twice = extensions.find((one, index) => extensions.findIndex(({ name }) => name === one.name) !== index);
  if (twice === undefined) return;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `A run of agent "${agentName}" has two extensions with the name "${twice.name}", one of the agent and one of the run. Rename one of them.`,
  );
}

function checkFields(where: string, kind: string, given: object, known: readonly string[]): void {
  const there = known.join(", ");
  checkNames(given, known, (key) => `${where} has the ${kind} "${key}", which is not known; there are ${there}.`);
}
