import type { AgentOptions } from "../../contracts/run-options.ts";
import type { Hasher } from "../../contracts/ports/hasher.ts";
import type { Ledger } from "../../contracts/ports/ledger.ts";
import type { Logger } from "../../contracts/ports/logger.ts";
import type { RunStore } from "../../contracts/ports/run-store.ts";
import type { Sealer, SecretsPort, SecurityPorts } from "../../contracts/ports/security.ts";
import type { Tool } from "../../contracts/tool.ts";
import { sealedBlobs } from "../../journal/sealed-blobs.ts";
import { handoffTools } from "../inside/handoff-tool.ts";
import { createRegistry, type Registry } from "../../registry/create-registry.ts";
import type { AgentRegistry } from "../checked-agent.ts";

/**
 * Makes the registries of an agent and registers the tools that are known now.
 *
 * @throws ConfigurationError and its subclasses, for the first tool that cannot be registered.
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
  const make = (tools: readonly Tool[]): Registry => {
    const registry = createRegistry({
      ports: {
        hasher,
        secrets,
        sanitizer: ports.sanitizer,
        sandbox: ports.sandbox,
        hasLedger: options.ledger !== undefined || options.store === undefined || hasLedger(options.store),
        canSeal: options.keys?.seal !== undefined,
        hasMemory: options.memory !== undefined,
        blobs: sealedBlobs(store, sealer),
        logger,
      },
      collisions: options.collisions,
      sandbox: options.sandbox,
    });
    for (const tool of [...tools, ...handoffTools(options.name, options.handoffs ?? [])]) registry.register(tool);
    // Checks that take time are awaited by the first run; what they find must not end the process before.
    registry.ready()?.catch(() => undefined);
    return registry;
  };
  const known = make(typeof options.tools === "function" ? [] : (options.tools ?? []));
  let last: { readonly tools: readonly Tool[]; readonly registry: Registry } | undefined;
  return {
    known,
    of(tools): Registry {
      const same = last?.tools.length === tools.length && last.tools.every((tool, index) => tool === tools[index]);
      if (last === undefined || !same) last = { tools: [...tools], registry: make(tools) };
      return last.registry;
    },
  };
}

/** A store without a ledger keeps no results beyond a run; the process's own memory would forget them with the process. */
function hasLedger(store: RunStore): boolean {
  return typeof (store as { readonly ledger?: Partial<Ledger> }).ledger?.reserve === "function";
}
