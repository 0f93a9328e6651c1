import type { AgentOptions } from "../contracts/run-options.ts";
import type { Ids } from "../contracts/ports/ids.ts";
import type { FlowPort } from "../contracts/ports/security.ts";
import type { ServedTools, ToolServer } from "../contracts/tool-server.ts";
import type { Tool } from "../contracts/tool.ts";
import type { Registry } from "../registry/create-registry.ts";
import type { CompiledSchema } from "../tools/compiled-schema.ts";
import type { AgentDefinition } from "./active-run.ts";

/** The registries of an agent: one for tools that are given once, or one per list that a resolver returns. */
export interface AgentRegistry {
  /** The tools that are known at construction; none with a resolver. */
  readonly known: Registry;
  /**
   * The registry of a list of tools, in the agent's sandbox unless a stricter one is given. The same list gives the
   * same registry. An invalid tool of `served` is left out: a server must not stop an agent.
   */
  of(tools: readonly Tool[], served?: ReadonlySet<Tool>, sandbox?: AgentOptions["sandbox"]): Registry;
  /** Servers whose tools are known only once a run asks them. */
  readonly servers: readonly ToolServer[];
  /** The agent's tools with the current ones of its servers. */
  join(own: readonly Tool[], served: readonly ServedTools[]): readonly Tool[];
}

/** An `AgentDefinition` with what only the runner uses. */
export interface CheckedAgent extends AgentDefinition {
  readonly ids: Ids;
  readonly registry: AgentRegistry;
  readonly flow: FlowPort | undefined;
  readonly output: CompiledSchema | undefined;
  /** Runs are kept in this process only, because no store was given. */
  readonly inMemory: boolean;
}
