import type { Extension } from "../../contracts/extension.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { nearestNames } from "../../errors/nearest-names.ts";
import { inside, isObject, list, type Check } from "../../errors/value-checks.ts";
import { extensionOptionNames } from "./extension-options.ts";

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
  const { name, tools, onRecord } = extension as Partial<Extension>;
  if (typeof name !== "string" || name === "") return 'has no name; give each extension a "name"';
  for (const key of functions)
    if (extension[key] !== undefined && typeof extension[key] !== "function") return inside(key, "is a function");
  if (tools !== undefined && list(tools) !== undefined) return inside("tools", "is a list of tools");
  if (onRecord !== undefined && (!Array.isArray(onRecord.types) || typeof onRecord.hear !== "function"))
    return inside("onRecord", "is { types, hear }");
  return undefined;
}

/**
 * Refuses fields that no extension has, and what an extension of a run cannot bring.
 *
 * @param place - The agent or the run, for the error.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 */
export function checkExtensions(extensions: readonly Extension[] | undefined, place: string, isRun: boolean): void {
  for (const extension of extensions ?? []) {
    const where = `Extension "${extension.name}" of ${place}`;
    checkFields(where, "field", extension, names);
    if (extension.options !== undefined) checkFields(where, "option", extension.options, extensionOptionNames);
    if (isRun && extension.tools !== undefined)
      throw new ConfigurationError(
        "INVALID_OPTION",
        `${where} brings tools. Give it to the agent: a run cannot add tools.`,
      );
  }
}

/**
 * Refuses two extensions of one name in a run: they would share their state.
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
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const near = nearestNames(key, known, 1)[0];
    throw new ConfigurationError(
      "UNKNOWN_OPTION",
      `${where} has the ${kind} "${key}", which is not known; there are ${known.join(", ")}.${near === undefined ? "" : ` Did you mean "${near}"?`}`,
    );
  }
}
