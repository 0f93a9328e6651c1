import type { AgentOptions } from "../../contracts/run-options.ts";
import type { Hasher } from "../../contracts/ports/hasher.ts";
import type { Ledger } from "../../contracts/ports/ledger.ts";
import type { Logger } from "../../contracts/ports/logger.ts";
import type { RunStore } from "../../contracts/ports/run-store.ts";
import type { Sealer, SecretsPort, SecurityPorts } from "../../contracts/ports/security.ts";
import type { Tool } from "../../contracts/tool.ts";
import { sealedBlobs } from "../../journal/sealed-blobs.ts";
import { handoffTools } from "../inside/handoff-tool.ts";
import { boundTool } from "../inside/inside-of.ts";
import { createRegistry, type Registry } from "../../registry/create-registry.ts";
import { toolsOfServers } from "../../registry/server-tools.ts";
import { describeSource, namespaceOf } from "../../registry/source-defaults.ts";
import { registrationOf, withSource } from "../../registry/tool-registration.ts";
import type { AgentRegistry } from "../run.ts";

/**
 * Makes the registries of an agent and registers the tools that are known now.
 *
 * @throws ConfigurationError and its subclasses, for the first invalid tool.
 */
export function createAgentRegistry(given: {
  readonly options: AgentOptions;
  readonly ports: SecurityPorts;
  readonly secrets: SecretsPort | undefined;
  readonly hasher: Hasher;
  readonly store: RunStore;
  readonly sealer: Sealer | undefined;
  readonly logger: Logger;
}): AgentRegistry {
  const { options, ports, secrets, hasher, store, sealer, logger } = given;
  const servers = options.mcp ?? [];
  const join = toolsOfServers(servers);
  const namespaces = servers.map(({ source }) => namespaceOf(source));
  const emptyIn = (sandbox: AgentOptions["sandbox"]): Registry =>
    createRegistry({
      ports: {
        hasher,
        secrets,
        sanitizer: ports.sanitizer,
        sandbox: ports.sandbox,
        hasLedger: options.ledger !== undefined || options.store === undefined || ledgerOf(options.store) !== undefined,
        canSeal: options.keys?.seal !== undefined,
        hasMemory: options.memory !== undefined,
        blobs: sealedBlobs(store, sealer),
        logger,
      },
      collisions: options.collisions,
      sandbox,
      namespaces,
    });
  const ofMemory = options.memory?.tools ?? [];
  const make = (tools: readonly Tool[], served?: ReadonlySet<Tool>, sandbox = options.sandbox): Registry => {
    const empty = (): Registry => emptyIn(sandbox);
    const registry = empty();
    const own = tools.map((tool) => boundTool(tool, { options, ports }));
    for (const tool of [...own, ...handoffTools(options.name, options.handoffs ?? []), ...ofMemory]) {
      if (served?.has(tool) === true) registerServed(registry, tool, empty);
      else registry.register(tool);
    }
    // The first run awaits the asynchronous checks; until then their errors must not end the process.
    registry.ready()?.catch(() => undefined);
    return registry;
  };
  const known = make(typeof options.tools === "function" ? [] : (options.tools ?? []));
  let last: { readonly tools: readonly Tool[]; readonly place: string; readonly registry: Registry } | undefined;
  return {
    known,
    servers,
    join,
    of(tools, served, sandbox = options.sandbox): Registry {
      const place = JSON.stringify(sandbox ?? null);
      const same =
        last?.place === place &&
        last.tools.length === tools.length &&
        last.tools.every((tool, index) => tool === tools[index]);
      if (last === undefined || !same) last = { tools: [...tools], place, registry: make(tools, served, sandbox) };
      return last.registry;
    },
  };
}

/**
 * A server's definitions must not stop the agent: an invalid tool is left out with a warning. A wrong classification by
 * the operator is refused like any wrong option.
 */
function registerServed(registry: Registry, tool: Tool, empty: () => Registry): void {
  const { source, operator } = registrationOf(tool);
  try {
    registry.register(tool);
  } catch (error) {
    if (!(error instanceof Error) || (operator !== undefined && canBeTaken(withSource(tool, source), empty())))
      throw error;
    const where = describeSource(source);
    registry.warn({
      code: "server_tool_left_out",
      message: `A tool of ${where} is left out: ${error.message}`,
      subject: tool.name,
    });
  }
}

function canBeTaken(tool: Tool, registry: Registry): boolean {
  try {
    registry.register(tool);
    return true;
  } catch {
    return false;
  }
}

/** The ledger of a store. Without one, results are not kept beyond a run, since the memory of a process ends with it. */
export function ledgerOf(store: RunStore): Ledger | undefined {
  const { ledger } = store as { readonly ledger?: Ledger };
  return typeof ledger?.reserve === "function" ? ledger : undefined;
}
