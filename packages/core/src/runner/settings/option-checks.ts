import type { LongContextPrices, ModelPrice, TokenPrices } from "../../contracts/model-price.ts";
import type { ContextCompactorConfig, ToolResultLimit } from "../../contracts/context-config.ts";
import {
  flag,
  having,
  isObject,
  list,
  listOf,
  number,
  oneOf,
  record,
  recordOf,
  shape,
  strings,
  text,
  type Check,
} from "../../errors/value-checks.ts";
import { durableJson } from "../../json/checked-json.ts";

const bytesOrText: Check = (value) =>
  (value instanceof Uint8Array || typeof value === "string") && value.length > 0 ? undefined : "is bytes or a text";

export const keyOrKeys: Check = (value) =>
  bytesOrText(value) === undefined ||
  (Array.isArray(value) && value.length > 0 && value.every((key) => bytesOrText(key) === undefined))
    ? undefined
    : "is bytes or a text, or a list of them whose first one writes";

/** An object that is stored with the run, and reads back unchanged in another process. */
export const durableRecord: Check = (value) => {
  const json = durableJson(value);
  if (!json.ok) return `is plain JSON, because it is kept with the run, and it holds ${json.problem}`;
  return record(value);
};

const dollars = number(0, "dollars per million tokens");

const tokenPrices = {
  input: dollars,
  output: dollars,
  cachedInput: dollars,
  cacheWrite: dollars,
  longCacheWrite: dollars,
  audioInput: dollars,
  cachedAudioInput: dollars,
  audioOutput: dollars,
} satisfies { readonly [Name in keyof Required<TokenPrices>]: Check };

const factors = recordOf(number(0, "a factor"));

const pricesOf =
  (fields: Readonly<Record<string, Check>>, ...required: readonly string[]): Check =>
  (value) =>
    shape(fields)(value) ??
    (isObject(value) && required.every((name) => value[name] !== undefined)
      ? undefined
      : `needs ${required.join(" and ")}, in dollars per million tokens`);

const longContext = { ...tokenPrices, above: number(0, "tokens", true), tiers: factors } satisfies {
  readonly [Name in keyof Required<LongContextPrices>]: Check;
};

const price: Check = pricesOf(
  {
    ...tokenPrices,
    longContext: listOf(pricesOf(longContext, "above", "input", "output")),
    tiers: factors,
    regions: factors,
    hostedCalls: recordOf(number(0, "dollars per call")),
  } satisfies { readonly [Name in keyof Required<ModelPrice>]: Check },
  "input",
  "output",
);

/** A table of prices by `"provider/model"`. */
export const priceTable: Check = recordOf(price);

/** A table of prices, or the address of one. */
export const prices: Check = (value) => {
  if (typeof value !== "string" && !(value instanceof URL)) return priceTable(value);
  return URL.canParse(String(value)) && /^https?:$/u.test(new URL(value).protocol)
    ? undefined
    : 'is a table of prices by "provider/model", or its address (http or https)';
};

const grantForms = ["eq", "oneOf", "max", "within", "ref", "template", "the", "composed"];

const grantedArgument: Check = (value) =>
  isObject(value) && grantForms.filter((form) => form in value).length === 1
    ? undefined
    : `has one of ${grantForms.join(", ")}`;

const grant: Check = (value) =>
  shape({ tool: text, args: recordOf(grantedArgument), from: list, when: text, count: number(1, "executions", true) })(
    value,
  ) ??
  (isObject(value) && value["tool"] !== undefined && value["args"] !== undefined ? undefined : "needs tool and args");

export const grants: Check = listOf(grant);

export const no: Check = (value) => (value === false ? undefined : "is false");

/** The fields of a context compactor, which depend on each other. */
export const compactor: Check = (value) => {
  const { maxContextTokens, reserveTokens = 0, strategy } = value as Partial<ContextCompactorConfig>;
  if (strategy === undefined) return "needs a strategy";
  if (maxContextTokens === undefined) return "needs maxContextTokens";
  if (reserveTokens < maxContextTokens) return undefined;
  return `.reserveTokens (${reserveTokens}) leaves nothing of maxContextTokens (${maxContextTokens})`;
};

/** The fields of a limit of tool results, which depend on each other. */
export const resultLimit: Check = (value) => {
  const { strategy, model } = value as ToolResultLimit;
  return strategy === "summarize" && model === undefined
    ? '.strategy "summarize" needs toolResultLimit.model'
    : undefined;
};

export const guardrails: Check = (value) =>
  Array.isArray(value) &&
  value.every(
    (each: Readonly<Record<string, unknown>> | null) =>
      typeof each?.["name"] === "string" && typeof each["validate"] === "function",
  )
    ? undefined
    : "is an array of guardrails, each with a name and a validate function";

const section = oneOf(["system", "recentHistory", "memory", "tools"]);

export const sections: Check = (value) =>
  Array.isArray(value) && value.every((one) => section(one) === undefined)
    ? undefined
    : `is a list whose entry ${section(undefined)}`;

export const toolChoice: Check = (value) =>
  ["auto", "none", "required"].includes(value as string) ||
  (typeof (value as { readonly toolName?: unknown } | null)?.toolName === "string" &&
    shape({ toolName: text })(value) === undefined)
    ? undefined
    : 'is "auto", "none", "required" or { toolName: "the name of a tool" }';

const quarantineSettings = shape({ bits: number(1, "bits", true), model: undefined });

export const quarantine: Check = (value) =>
  isObject(value) ? quarantineSettings(value) : flag(value) && "is true, false, or settings such as { bits: 32 }";

/** The tools of a run's client; the registry checks the rest of each. */
export const clientTools: Check = (value) => {
  if (!Array.isArray(value)) return "is a list of { name, description, inputSchema }";
  const json = durableJson(value);
  if (!json.ok) return `is plain JSON, because it is kept with the run, and it holds ${json.problem}`;
  const names = new Set<unknown>();
  for (const one of value as readonly unknown[]) {
    const wrong = shape({
      name: text,
      description: text,
      inputSchema: record,
      sideEffectClass: oneOf(["pure", "read-only", "side-effecting", "external-stateful"]),
      needsApproval: flag,
    })(one);
    if (wrong !== undefined) return `has an entry that ${wrong}`;
    const { name, description, inputSchema } = one as Readonly<Record<string, unknown>>;
    if (name === undefined || description === undefined || inputSchema === undefined)
      return "has an entry without name, description or inputSchema";
    if (names.has(name)) return `has two tools named ${JSON.stringify(name)}`;
    names.add(name);
  }
  return undefined;
};

/** The behavior after a turn with calls. */
export const toolUse: Check = (value) =>
  value === "run_llm_again" ||
  value === "stop_on_first_tool" ||
  typeof value === "function" ||
  (shape({ stopAtToolNames: strings })(value) === undefined &&
    (value as { readonly stopAtToolNames?: unknown }).stopAtToolNames !== undefined)
    ? undefined
    : 'is "run_llm_again", "stop_on_first_tool", { stopAtToolNames } or a function';

export const conditions: Check = (value) =>
  [value].flat().every((condition) => typeof condition === "function")
    ? undefined
    : "is a condition such as stepCountIs(5), a function, or a list of them";

export const servers: Check = (value) =>
  Array.isArray(value) && value.every((one) => having("a server", "serve")(one) === undefined)
    ? undefined
    : 'is a list of servers of tools, such as [mcp({ name: "tracker", url })]';
