import type { AgentOptions } from "../../contracts/run-options.ts";
import type { ModelProvider, ModelSpec } from "../../contracts/model-provider.ts";
import type { Warning } from "../../contracts/model-response.ts";
import type { PlatformPorts } from "../../contracts/ports/platform.ts";
import type { SecurityPorts } from "../../contracts/ports/security.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { nearestNames } from "../../errors/nearest-names.ts";
import { eventBus } from "../../events/event-bus.ts";
import { createLeaseKeeper } from "../lease-keeper.ts";
import { SessionQueue } from "../state/session-queue.ts";
import { defaultHasher, randomIds, systemClock } from "../../journal/default-ports.ts";
import { memoryLedger } from "../../journal/memory-ledger.ts";
import { memoryStore } from "../../journal/memory-store.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { priceLoader } from "../../models/load-prices.ts";
import { compileSchema } from "../../tools/standard-schema.ts";
import { checkTimedApproval } from "../settings/join-approval.ts";
import { createAgentRegistry, ledgerOf } from "./agent-registry.ts";
import { checkOptionNames, checkSettings } from "../settings/check-settings.ts";
import { extractIsTaken } from "../../registry/catalogue.ts";
import { EXTRACT } from "../../tools/extract.ts";
import { otherModels } from "../settings/merge-rules.ts";
import { asFlow, isQuarantined, mayNeedWarnings } from "../settings/join-flow.ts";
import { lazyPart } from "../../loading/lazy-part.ts";
import { safeLogger } from "../../user-code/call-user-code.ts";
import { checkExtensions, withExtensions } from "../settings/extension-options.ts";
import { priceTable } from "../settings/option-checks.ts";
import { optionTable } from "../settings/option-table.ts";
import { consoleLogger, scrubbedLogger } from "../settings/console-logger.ts";
import type { AgentRole } from "../settings/option-row.ts";
import type { Agent } from "../run.ts";

/**
 * Number of ended runs that an agent without a store keeps, so that a long-lived process does not run out of memory.
 */
const endedRunsKept = 100;

/**
 * Checks an agent's options and makes the parts that all its runs share.
 *
 * @throws ConfigurationError and its subclasses for every problem, before the first run.
 */
export function defineAgent(
  given: AgentOptions,
  ports: SecurityPorts,
  platform: PlatformPorts,
  role: AgentRole,
): Agent {
  checkOptionNames("agent", given);
  if (typeof given.name !== "string" || given.name === "") {
    throw new ConfigurationError("INVALID_OPTION", `An agent needs a "name": events, errors and the journal show it.`);
  }
  checkSettings("agent", given, `agent "${given.name}"`);
  checkExtensions(given.extensions, `agent "${given.name}"`, false);
  const options = withExtensions(given, optionTable.both);
  const resolveModel = modelResolver(options);
  const model = resolveModel(options.model);
  checkVendors(options, model, resolveModel);
  for (const spec of [...otherModels(options), readerOf(options)]) if (spec !== undefined) resolveModel(spec);
  const hasher = options.hasher ?? defaultHasher();
  const secrets = fromPort("secrets", options.secrets, ports.secrets);
  const clock = options.clock ?? systemClock;
  const store = options.store ?? memoryStore({ hasher, clock, keepEnded: endedRunsKept });
  const sealer = fromPort("keys.seal", options.keys?.seal, ports.sealer);
  const registry = createAgentRegistry({
    options,
    ports,
    secrets,
    hasher,
    store,
    sealer,
    logger: safeLogger(options.logger ?? consoleLogger),
  });
  checkTimedApproval(options, registry.known.list());
  checkFlow(options, ports, registry.known.list());
  const output =
    options.output === undefined
      ? undefined
      : compileSchema(options.output, { what: `The output schema of agent "${options.name}"` });
  const ids = options.ids ?? randomIds;
  const logger = scrubbedLogger(options.logger ?? consoleLogger, secrets);
  const fetch = httpClient(platform);
  let owner: string | undefined;
  return {
    name: options.name,
    options,
    model,
    definitionHash: hasher.sha256(canonicalJson(definitionFacts(options, model, registry.known.list()))),
    store,
    ledger: options.ledger ?? ledgerOf(store) ?? memoryLedger({ clock }),
    hasher,
    secrets,
    fetch,
    prices: priceLoader(options.prices, priceTable, fetch, () => clock.now()),
    sanitizer: ports.sanitizer,
    sandbox: ports.sandbox,
    download: ports.download ?? platform.download,
    signer: fromPort("keys.sign", options.keys?.sign, ports.signer),
    sealer,
    resolveModel,
    ids,
    registry,
    flow: ports.flow,
    output,
    inMemory: options.store === undefined,
    role,
    // Created with the first run: some hosts have no random numbers while modules load.
    get owner() {
      return (owner ??= ids.next("owner"));
    },
    eventBus: options.eventBus ?? eventBus({ logger }),
    clock,
    logger,
    keeper: createLeaseKeeper(store, clock, options.leaseMs),
    sessions: new SessionQueue(),
    said: new Set(),
    waiting: new Set(),
    live: new Map(),
    leftOver: new Map(),
  };
}

/** Refuses a misspelt vendor in `providerOptions`: its settings would reach no model. The model of a step may have any other name. */
function checkVendors(
  options: AgentOptions,
  model: ModelProvider,
  resolveModel: (spec: ModelSpec) => ModelProvider,
): void {
  const { providerOptions } = options;
  if (providerOptions === undefined) return;
  const vendors = [model, ...otherModels(options).map(resolveModel)].map(({ provider }) => provider);
  for (const name of Object.keys(providerOptions)) {
    const near = vendors.includes(name) ? undefined : nearestNames(name, vendors, 1)[0];
    if (near === undefined) continue;
    throw new ConfigurationError(
      "UNKNOWN_OPTION",
      `"providerOptions.${name}" matches no vendor of the agent's models. Did you mean "${near}"?`,
    );
  }
}

/** The model that reads quarantined values, if it differs from the agent's. */
function readerOf({ flow }: AgentOptions): ModelSpec | undefined {
  const { quarantine } = asFlow(flow);
  return typeof quarantine === "object" && quarantine !== null ? quarantine.model : undefined;
}

/** The facts whose hash identifies an agent's definition. A run that is resumed under another definition records the change. */
function definitionFacts(options: AgentOptions, model: ModelProvider, tools: readonly ResolvedTool[]): unknown {
  return {
    name: options.name,
    model: `${model.provider}/${model.api}/${model.modelId}`,
    instructions: typeof options.instructions === "string" ? options.instructions : typeof options.instructions,
    tools: tools.map((tool) => [tool.name, tool.__definitionHash]),
    hostedTools: (options.hostedTools ?? []).map(({ provider, name, args }) => ({ provider, name, args })),
    ...(options.mcp !== undefined && options.mcp.length > 0 && { servers: options.mcp.map(({ source }) => source) }),
  };
}

function modelResolver(options: AgentOptions): (spec: ModelSpec) => ModelProvider {
  return (spec) => {
    if (typeof spec === "object" && spec !== null) {
      if (typeof spec.generate === "function" && typeof spec.stream === "function") return spec;
      throw new ConfigurationError(
        "INVALID_OPTION",
        `The model of agent "${options.name}" is not a model: it has no generate() and stream(). Wrap one of the AI SDK with aiSdk() of @bailiwick/providers-ai-sdk.`,
      );
    }
    if (typeof spec !== "string" || !spec.includes("/")) {
      throw new ConfigurationError(
        "UNKNOWN_MODEL",
        `The model of agent "${options.name}" must be a model object or a "provider/model" string, not ${JSON.stringify(spec)}.`,
      );
    }
    if (options.models === undefined) {
      throw new ConfigurationError(
        "UNKNOWN_MODEL",
        `Agent "${options.name}" names the model "${spec}", but has no "models" registry to find it in. Pass a model object, or give "models".`,
      );
    }
    return options.models.resolve(spec);
  };
}

/** The HTTP client of a platform, which loads with the first request; after a failure, the next request tries again. */
function httpClient({ fetch: load }: PlatformPorts): typeof fetch | undefined {
  if (load === undefined) return undefined;
  const client = lazyPart("The HTTP client", async () => ({ send: await load() }));
  return async (...request) => client(({ send = globalThis.fetch }) => send(...request));
}

/**
 * Makes a part of the agent with a port of the security package; `undefined` if the option is not set.
 *
 * @throws ConfigurationError `PORT_MISSING`
 */
function fromPort<Value, Part>(
  option: string,
  value: Value | undefined,
  port: ((value: Value) => Part) | undefined,
): Part | undefined {
  if (value === undefined) return undefined;
  if (port !== undefined) return port(value);
  throw new ConfigurationError(
    "PORT_MISSING",
    `"${option}" needs the security package: make the agent with @bailiwick/agent, or pass its ports.`,
  );
}

/** Lets the flow policy refuse the agent at construction. Its warnings are part of each run, or logged here if the policy is off. */
function checkFlow(options: AgentOptions, ports: SecurityPorts, tools: readonly ResolvedTool[]): void {
  const flow = asFlow(options.flow);
  if (isQuarantined(flow)) {
    if (ports.flow === undefined)
      throw new ConfigurationError(
        "PORT_MISSING",
        `"flow.quarantine" of agent "${options.name}" needs the security package: make the agent with @bailiwick/agent, or pass its ports.`,
      );
    if (tools.some(({ name }) => name === EXTRACT)) throw extractIsTaken();
  }
  const warnings = ports.flow?.check({ options: flow, tools, hostedTools: options.hostedTools ?? [] });
  const logger = safeLogger(options.logger ?? consoleLogger);
  const log = (all: readonly Warning[] | undefined): void => {
    for (const { message } of all ?? []) logger.warn(`Agent "${options.name}": ${message}`);
  };
  if (flow.mode === "off") log(warnings);
  if (flow.mode === "off" || !mayNeedWarnings(tools)) return;
  // The texts of warnings about undeclared tools may load on demand; a run that cannot load them fails.
  const undeclared = ports.flow?.warnings({ options: flow, tools });
  if (undeclared instanceof Promise) undeclared.then(log, () => undefined);
  else log(undeclared);
}
