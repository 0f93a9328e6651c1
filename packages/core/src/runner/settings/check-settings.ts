import type { StepSettings } from "../../contracts/run-options.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import {
  checkArgument,
  checkKnownNames,
  checkNames,
  isObject,
  said,
  shown,
  type Check,
  type Fields,
} from "../../errors/value-checks.ts";
import type { OptionFacts } from "./option-row.ts";
import { optionTable } from "./option-table.ts";

/**
 * Refuses invalid values of options: they would be ignored, or fail much later.
 *
 * @param options - An agent's or a run's, or the settings of a step; the names are known.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkSettings(kind: "agent" | "run", options: object, where: string): void {
  const rows = tables[kind];
  for (const [name, value] of Object.entries(options)) {
    const { check, fields } = rows[name] ?? {};
    if (fields !== undefined && isObject(value))
      for (const [field, each] of Object.entries(value)) checkValue(`${name}.${field}`, each, fields[field], where);
    checkValue(name, value, check, where);
  }
}

/**
 * Refuses a value whose check fails, or that throws when it is read.
 *
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkValue(path: string, value: unknown, check: Check | undefined, where: string): void {
  if (value === undefined || check === undefined) return;
  let wrong: string | undefined;
  try {
    wrong = check(value);
  } catch (cause) {
    if (BailiwickError.isInstance(cause)) throw cause;
    throw new ConfigurationError("INVALID_OPTION", `${where}: ${path} throws when it is read.`, { cause });
  }
  if (wrong !== undefined)
    throw new ConfigurationError("INVALID_OPTION", `${where}: ${said(path, wrong)}${shown(value)}.`);
}

/**
 * Refuses unknown options of a function, and invalid values.
 *
 * @param where - Function that takes the options, for the message: `fork()`.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 */
export function checkGiven(given: object | undefined, checks: Fields, where: string): void {
  checkKnownNames(given, Object.keys(checks), where);
  for (const [name, value] of Object.entries(given ?? {})) checkValue(name, value, checks[name], where);
}

/** The compiler checks that every setting of a step is listed. */
const ofSteps: { readonly [Name in keyof Required<StepSettings>]: true } = {
  model: true,
  activeTools: true,
  toolChoice: true,
  temperature: true,
  maxTokens: true,
  instructions: true,
  reasoning: true,
};

/** Names that other frameworks use for an option, and that are not near ours, so that the message can name ours. */
const otherNames: Readonly<Record<string, string>> = {
  schema: "output",
  onFinish: "onComplete",
  onStepFinish: "loopHooks",
  id: "name",
  systemPrompt: "instructions",
  system: "instructions",
  prompt: "instructions",
  maxSteps: "maxTurns",
  maxToolRoundtrips: "maxTurns",
  history: "messages",
  tools: "activeTools",
  context: "dependencies",
  experimental_context: "dependencies",
  deps: "dependencies",
  maxOutputTokens: "maxTokens",
  maxRetries: "retry",
  subAgents: "handoffs",
  subagents: "handoffs",
  maxChars: "maxTokens",
  threadId: "sessionId",
  conversationId: "sessionId",
  resourceId: "userId",
};

/** The options that an agent or a run may have, by name. */
const tables: Readonly<Record<"agent" | "run", Readonly<Record<string, OptionFacts>>>> = {
  agent: { ...optionTable.both, ...optionTable.agent },
  run: { ...optionTable.both, ...optionTable.run },
};

/**
 * Refuses unknown options, because a misspelt one would be ignored.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION` naming the nearest one; `INVALID_OPTION` for an invalid group.
 */
export function checkOptionNames(
  kind: "agent" | "run",
  given: object,
  rows: Readonly<Record<string, OptionFacts>> = tables[kind],
): void {
  const where = kind === "agent" ? "an agent" : "a run";
  checkArgument(given, "object", kind === "agent" ? "new Agent({ name, model })" : "run(input, { sessionId })");
  const [other, place] =
    kind === "agent"
      ? [tables.run, "a run: pass it to run() or stream()."]
      : [tables.agent, "an agent: pass it to new Agent()."];
  checkNames(
    given,
    Object.keys(rows),
    (name) => `"${name}" is not an option of ${where}.`,
    (name) => (Object.hasOwn(other, name) ? ` It is an option of ${place}` : undefined),
    otherNames,
  );
  for (const [option, value] of Object.entries(given)) {
    const fields = rows[option]?.fields;
    if (fields === undefined || value === undefined || (option === "flow" && typeof value === "string")) continue;
    const names = Object.keys(fields);
    const message = `"${option}" of ${where} must be an object with ${names.join(", ")}.`;
    if (!isObject(value)) throw new ConfigurationError("INVALID_OPTION", message);
    checkNames(
      value,
      names,
      (name) => `"${option}.${name}" of ${where} is not known; ${option} has ${names.join(", ")}.`,
      undefined,
      otherNames,
    );
  }
}

/**
 * Refuses unknown settings of a step.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION` naming the nearest one.
 */
export function checkStepNames(step: StepSettings): void {
  const message = (name: string): string => `"${name}" is not a setting that "prepareStep" may change.`;
  checkNames(step, Object.keys(ofSteps), message, undefined, otherNames);
}

/**
 * Reads options with `read`. An option that throws when it is read, such as a Proxy or a getter, is refused by name.
 *
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function readOptions<Result>(options: object, where: string, read: () => Result): Result {
  try {
    return read();
  } catch (thrown) {
    if (BailiwickError.isInstance(thrown)) throw thrown;
    const name = Object.entries(options).find(([, value]) => !isReadable(value))?.[0];
    if (name === undefined) throw thrown;
    throw new ConfigurationError("INVALID_OPTION", `${where}: ${name} throws when it is read.`, { cause: thrown });
  }
}

/**
 * Options as they are now: a copy of the object, and of its groups and lists. Instances of classes are passed on as they
 * are.
 *
 * @param options - The options of an agent or a run, not checked yet.
 */
export function ownFields<Options extends object>(options: Options, kind: "agent" | "run"): Options {
  return ownMembers(options, (value, name) =>
    tables[kind][name]?.fields === undefined ? ownList(value) : ownMembers(value, ownList),
  );
}

function ownMembers<Given>(given: Given, own: (value: unknown, name: string) => unknown): Given {
  if (!isObject(given) || Object.getPrototypeOf(given) !== Object.prototype) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, own(value, name)])) as Given;
}

const ownList = (value: unknown): unknown => (Array.isArray(value) ? value.slice() : value);

function isReadable(value: unknown): boolean {
  try {
    void (value as { readonly name?: unknown } | null | undefined)?.name;
    return Object.values(value ?? {}).length >= 0;
  } catch {
    return false;
  }
}
