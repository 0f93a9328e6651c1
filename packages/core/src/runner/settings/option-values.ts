import type { AgentOptions, RunOptions } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import {
  between,
  callback,
  flag,
  having,
  inside,
  isObject,
  list,
  number,
  oneOf,
  record,
  said,
  shape,
  shown,
  strings,
  text,
  type Check,
} from "../../errors/value-checks.ts";

const either =
  (what: string, ...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value) === undefined) ? undefined : what;

const bytesOrText: Check = (value) =>
  (value instanceof Uint8Array || typeof value === "string") && value.length > 0 ? undefined : "is bytes or a text";

const keyOrKeys: Check = (value) =>
  bytesOrText(value) === undefined ||
  (Array.isArray(value) && value.length > 0 && value.every((key) => bytesOrText(key) === undefined))
    ? undefined
    : "is bytes or a text, or a list of them whose first one writes";

const price: Check = (value) =>
  shape({
    input: number(0, "dollars per million tokens"),
    output: number(0, "dollars per million tokens"),
    cachedInput: number(0, "dollars per million tokens"),
    cacheWrite: number(0, "dollars per million tokens"),
  })(value) ??
  (isObject(value) && value["input"] !== undefined && value["output"] !== undefined
    ? undefined
    : "needs input and output, in dollars per million tokens");

/** A record of any names, whose values are all of one kind. */
const recordOf =
  (member: Check): Check =>
  (value) => {
    if (!isObject(value)) return "is an object";
    for (const [key, each] of Object.entries(value)) {
      const wrong = each === undefined ? undefined : member(each);
      if (wrong !== undefined) return inside(key, wrong);
    }
    return undefined;
  };

const grantedArgument: Check = (value) => {
  const kinds = ["eq", "oneOf", "max", "ref", "composed"];
  const given = isObject(value) ? Object.keys(value) : [];
  return given.length === 1 && kinds.includes(given[0] ?? "")
    ? undefined
    : `is { eq }, { oneOf }, { max }, { ref } or { composed: true }`;
};

const grant: Check = (value) =>
  shape({ tool: text, args: recordOf(grantedArgument), from: list, when: text, count: number(1, "executions", true) })(
    value,
  ) ??
  (isObject(value) && value["tool"] !== undefined && value["args"] !== undefined ? undefined : "needs tool and args");

const grants: Check = (value) => {
  if (!Array.isArray(value)) return "is an array of grants";
  for (const [index, each] of value.entries()) {
    const wrong = grant(each);
    if (wrong !== undefined) return inside(index, wrong);
  }
  return undefined;
};

/**
 * What options take, for programs without types. The values of the others are checked by `checkSettings`, or where they
 * are read: a tool choice, limits, guardrails, approval, hooks.
 */
const checks: { readonly [Name in keyof (AgentOptions & RunOptions)]?: Check } = {
  description: text,
  instructions: (value) =>
    typeof value === "string" || typeof value === "function" ? undefined : "is a text or a function",
  toolUseBehavior: (value) =>
    value === "run_llm_again" ||
    value === "stop_on_first_tool" ||
    typeof value === "function" ||
    shape({ stopAtToolNames: strings })(value) === undefined
      ? undefined
      : 'is "run_llm_again", "stop_on_first_tool", { stopAtToolNames } or a function',
  reasoning: (value) =>
    shape({
      enabled: flag,
      effort: oneOf(["none", "minimal", "low", "medium", "high", "xhigh", "max"]),
      budgetTokens: number(0, "tokens", true),
      summary: oneOf(["auto", "concise", "detailed", "none"]),
    })(value),
  temperature: between(0, Number.POSITIVE_INFINITY),
  topP: between(0, 1),
  stopSequences: strings,
  parallelToolCalls: flag,
  maxTokens: number(1, "tokens", true),
  providerOptions: recordOf(record),
  fallback: list,
  stopWhen: (value) =>
    [value].flat().every((condition) => typeof condition === "function")
      ? undefined
      : "is a condition such as stepCountIs(5), a function, or a list of them",
  prepareStep: callback,
  hooksAreFatal: flag,
  outputGuardrails: oneOf(["hold", "after"]),
  // What is in it is the policy's to check.
  flow: either(
    'is "auto", "enforce", "shadow", "off" or an object',
    oneOf(["auto", "enforce", "shadow", "off"]),
    record,
  ),
  memory: having("a memory", "contextFor", "accessFor"),
  session: having("a session store, such as store.sessions or memorySessions()", "load", "append", "list"),
  store: having("a store, such as memoryStore() or sqliteStore({ path })", "create", "append", "load", "listRuns"),
  ledger: having("a ledger", "get", "reserve", "put", "release"),
  eventBus: having("an event bus, made by createEventBus()", "on", "emit", "hasListeners"),
  logger: having("a logger", "debug", "info", "warn", "error"),
  clock: having("a clock", "now", "setTimer"),
  ids: having("a source of ids", "next"),
  hasher: having("a hasher", "sha256"),
  telemetry: having("telemetry, such as otel()", "startRun", "startModelCall", "startToolCall"),
  secrets: having("a source of secrets, such as env()", "has", "get"),
  models: having("a registry, made by modelRegistry()", "resolve"),
  prices: recordOf(price),
  keys: shape({ sign: keyOrKeys, seal: keyOrKeys }),
  tools: either("is an array of tools, or a function that resolves them", list, callback),
  mcp: (value) =>
    Array.isArray(value) && value.every((one) => having("a server", "serve")(one) === undefined)
      ? undefined
      : 'is a list of servers of tools, such as [mcp({ name: "tracker", url })]',
  hostedTools: list,
  handoffs: list,
  collisions: oneOf(["auto-prefix", "priority", "manual"]),
  generateFollowups: flag,
  onUnknownOutcome: oneOf(["suspend", "tell_model"]),
  detached: flag,
  resumable: flag,
  concurrentRuns: oneOf(["queue", "refuse"]),
  deadlineAt: number(0, "milliseconds since the epoch"),
  // An empty id is a value that is missing: it would put runs together that have nothing to do with each other.
  userId: text,
  tenantId: text,
  sessionId: text,
  idempotencyKey: text,
  apiKey: text,
  metadata: record,
  extraVars: record,
  signal: having("an AbortSignal", "addEventListener", "removeEventListener"),
  messages: list,
  conversationHistory: list,
  enableCaching: flag,
  onStart: callback,
  onComplete: callback,
  onError: callback,
  onApprovalRequired: callback,
  grants,
  includeRawEvents: flag,
  verbose: flag,
};

/**
 * Refuses values that an option cannot mean: they would be ignored, or fail far from here.
 *
 * @param options - An agent's or a run's; the names are known.
 * @param where - Whose options they are, for the message.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkOptionValues(options: object, where: string): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const wrong = checks[name as keyof typeof checks]?.(value);
    if (wrong === undefined) continue;
    throw new ConfigurationError("INVALID_OPTION", `${where}: ${said(name, wrong)}${shown(value)}.`);
  }
}
