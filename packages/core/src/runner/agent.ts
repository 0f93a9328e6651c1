import type { ModelProvider, ModelSpec } from "../contracts/model-provider.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { Ids } from "../contracts/ports/ids.ts";
import type { Ledger } from "../contracts/ports/ledger.ts";
import type { RunStore } from "../contracts/ports/run-store.ts";
import type { SandboxPort } from "../contracts/ports/sandbox.ts";
import type {
  ApprovalSigner,
  FlowPort,
  SanitizerPort,
  Sealer,
  SecretsPort,
  SecurityPorts,
} from "../contracts/ports/security.ts";
import type { AgentOptions } from "../contracts/run-options.ts";
import type { ServedTools, ToolServer } from "../contracts/tool-server.ts";
import type { Tool } from "../contracts/tool.ts";
import type { Registry } from "../registry/create-registry.ts";
import type { CompiledSchema } from "../tools/compiled-schema.ts";
import type { AgentRole } from "./settings/option-row.ts";

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

/** An agent after its options were checked; shared by all its runs. */
export interface AgentDefinition {
  readonly name: string;
  readonly role: AgentRole;
  readonly options: AgentOptions;
  readonly model: ModelProvider;
  readonly definitionHash: string;
  readonly registry: AgentRegistry;
  readonly output: CompiledSchema | undefined;
  readonly store: RunStore;
  /** Runs are kept in this process only, because no store was given. */
  readonly inMemory: boolean;
  readonly ledger: Ledger;
  readonly hasher: Hasher;
  readonly ids: Ids;
  readonly flow: FlowPort | undefined;
  readonly secrets: SecretsPort | undefined;
  readonly sanitizer: SanitizerPort | undefined;
  readonly sandbox: SandboxPort | undefined;
  readonly download: SecurityPorts["download"];
  readonly signer: ApprovalSigner | undefined;
  readonly sealer: Sealer | undefined;
  /** HTTP client for model calls, once it is loaded. */
  readonly http: { readonly fetch: typeof fetch | undefined; ready(): Promise<void> | undefined };
  /** Resolves a spec through the agent's `models`. */
  readonly resolveModel: (spec: ModelSpec) => ModelProvider;
}
