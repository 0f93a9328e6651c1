import type { Tool, ToolFields } from "../contracts/tool.ts";
import { InvalidToolError } from "../errors/configuration-errors.ts";
import { effectHint, isStandardSchema } from "./standard-schema.ts";
import {
  callback,
  flag,
  flagOrCallback,
  isObject,
  number,
  oneOf,
  record,
  said,
  shape,
  shown,
  strings,
  suggestion,
  type Check,
} from "../errors/value-checks.ts";
import { checkReaders } from "../errors/check-readers.ts";
import { checkPlainWords } from "./plain-words.ts";
import { VOCABULARIES } from "./vocabularies.ts";

const modelSpec: Check = (value) =>
  (isObject(value) && typeof value["generate"] === "function") ||
  (typeof value === "string" &&
    (/^[^/\s]+\/\S+$/u.test(value) || VOCABULARIES.modelHint.some((hint) => hint === value)))
    ? undefined
    : 'is "fast", "balanced", "smart", a "provider/model" string or a model';

const schema: Check = (value) =>
  isStandardSchema(value) || isObject(value)
    ? undefined
    : `is a Standard Schema, such as z.object({ … }), or a JSON Schema object${effectHint(value)}`;

const integrity = oneOf(VOCABULARIES.integrity);

/** The form of each field, for programs without types. */
const FIELDS: Readonly<Record<Exclude<keyof Tool | keyof ToolFields, "~tool">, Check>> = {
  name: (value) =>
    typeof value === "string" && /^[A-Za-z0-9._-]{1,128}$/u.test(value)
      ? undefined
      : "is 1 to 128 of A-Z a-z 0-9 . _ -",
  description: (value) =>
    typeof value === "string" && value.trim() !== "" ? undefined : "is a text for the model: what the tool does",
  inputSchema: schema,
  inputJsonSchema: record,
  outputSchema: (value) => (isStandardSchema(value) ? undefined : "is a Standard Schema (zod, arktype, valibot, …)"),
  needsApproval: flagOrCallback,
  describeCall: callback,
  preview: callback,
  // Checked with its source, in `sandbox-of.ts`.
  sandboxPolicy: (value) => (isObject(value) ? undefined : oneOf(VOCABULARIES.sandboxPolicy)(value)),
  strict: flag,
  tags: strings,
  executionMode: oneOf(VOCABULARIES.executionMode),
  timeoutMs: number(0, "milliseconds"),
  secretsAllowed: strings,
  sensitivity: oneOf(VOCABULARIES.sensitivity),
  returns: oneOf(VOCABULARIES.returns),
  changes: oneOf(VOCABULARIES.changes),
  decides: strings,
  confirms: strings,
  flow: shape({
    authority: strings,
    payload: strings,
    egress: strings,
    readers: callback,
    grave: flag,
    confirms: strings,
    undeclared: oneOf(["gate", "shadow"]),
  }),
  output: shape({
    integrity,
    // Checked below: its error says what to write.
    readers: () => undefined,
    maxRows: number(1, "rows", true),
    rows: shape({
      where: record,
      fields: strings,
      integrity: oneOf(["verified"]),
    }),
    fields: (value) => {
      if (!isObject(value)) return "is an object of paths";
      for (const [path, trust] of Object.entries(value)) {
        const wrong = shape({ integrity })(trust);
        if (wrong !== undefined) return `"${path}" ${wrong}`;
      }
      return undefined;
    },
  }),
  isEnabled: flagOrCallback,
  toModelOutput: callback,
  memoryGuardTier: oneOf(VOCABULARIES.memoryGuardTier),
  inboundSanitization: oneOf(VOCABULARIES.inboundSanitization),
  allowWeakerSanitization: flag,
  allowUnsandboxed: flag,
  failClosed: flag,
  defer_loading: flag,
  maxResultTokens: number(0, "tokens", true),
  truncationStrategy: oneOf(VOCABULARIES.truncationStrategy),
  examples: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((example) => isObject(example) && "input" in example)
      ? undefined
      : "is an array of 1 to 5 of { input, output, comment }",
  examplesEagerlyRendered: flag,
  sideEffectClass: oneOf(VOCABULARIES.sideEffectClass),
  idempotencyKey: (value) => (value === "call" || typeof value === "function" ? undefined : 'is "call" or a function'),
  idempotencyScope: oneOf(VOCABULARIES.idempotencyScope),
  idempotencyTtlMs: number(1, "milliseconds"),
  lookup: callback,
  cache: (value) =>
    shape({ ttlMs: number(1, "milliseconds"), scope: oneOf(VOCABULARIES.cacheScope), shared: flag })(value) ??
    ((value as Record<string, unknown>)["ttlMs"] === undefined ? "needs ttlMs, in milliseconds" : undefined),
  retry: (value) =>
    shape({
      maxAttempts: number(1, "attempts", true),
      initialDelayMs: number(0, "milliseconds"),
      maxDelayMs: number(0, "milliseconds"),
    })(value) ??
    (["maxAttempts", "initialDelayMs"].every((key) => isObject(value) && value[key] !== undefined)
      ? undefined
      : "needs maxAttempts and initialDelayMs"),
  streamingHint: (value) => (value === true ? undefined : "is true or absent"),
  preferredModel: modelSpec,
  execute: (value) =>
    typeof value === "function" || isObject(value)
      ? undefined
      : "is a function, or { module, export } of a sandboxed tool",
  composition: () => undefined,
  runsOn: oneOf(["client"]),
};

/** Names that other frameworks give a field. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  parameters: "inputSchema",
  rawJsonSchema: "inputSchema",
  schema: "inputSchema",
  requiresApproval: "needsApproval",
  invoke: "execute",
  handler: "execute",
  func: "execute",
  run: "execute",
  sandbox: "sandboxPolicy",
};

const REQUIRED: readonly (keyof typeof FIELDS)[] = ["name", "description", "inputSchema", "execute"];

/**
 * Checks each field of a tool separately: closed vocabularies, types, ranges, misspelt names.
 *
 * @throws InvalidToolError that names the field and its valid values; ConfigurationError `INVALID_OPTION` for readers
 *   without a kind, and for a plain word beside the field that it is short for.
 */
export function validateFields(tool: Tool): void {
  const toolName = typeof tool.name === "string" ? tool.name : "";
  const fields = Object.entries(tool).filter(([field, value]) => value !== undefined && field !== "~tool");
  // An unknown name is reported first: it usually explains why another one is missing.
  for (const [field] of fields) {
    if (isField(field)) continue;
    if (field === "source" && tool.execute === undefined)
      throw new InvalidToolError(toolName, "this is a server of tools, not a tool. Pass it to the agent in `mcp`.");
    const near = suggestion(field, Object.keys(FIELDS), OTHER_NAMES);
    throw new InvalidToolError(toolName, `there is no field "${field}"${near}.`);
  }
  for (const field of REQUIRED) {
    const wrong = FIELDS[field](tool[field]);
    if (wrong !== undefined) throw new InvalidToolError(toolName, `${said(field, wrong)}.`);
  }
  for (const [field, value] of fields) {
    const wrong = isField(field) ? FIELDS[field](value) : undefined;
    if (wrong !== undefined) throw new InvalidToolError(toolName, `${said(field, wrong)}${shown(value)}.`);
  }
  checkPlainWords(tool, `Tool "${toolName}"`);
  checkReaders(tool.output?.readers, `Tool "${toolName}": output.readers`);
}

/** Returns true for the name of a field that a tool may have. */
export function isField(field: string): field is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, field);
}
