import type { JsonSchema } from "../contracts/json.ts";
import type { LiveEvent } from "../contracts/run-event.ts";
import type { ModelProvider, ModelSpec } from "../contracts/model-provider.ts";
import type { Label } from "../contracts/label.ts";
import type { ResultLabel } from "../contracts/tool-flow.ts";
import type { AgentUsage } from "../contracts/run-output.ts";
import type { Message } from "../contracts/message.ts";
import type { Clock } from "../contracts/ports/clock.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { Ids } from "../contracts/ports/ids.ts";
import type { Ledger } from "../contracts/ports/ledger.ts";
import type { Logger } from "../contracts/ports/logger.ts";
import type { RunStore } from "../contracts/ports/run-store.ts";
import type { SandboxPort } from "../contracts/ports/sandbox.ts";
import type {
  ApprovalSigner,
  FlowRun,
  SanitizerPort,
  Sealer,
  SecretsPort,
  SecurityPorts,
} from "../contracts/ports/security.ts";
import type { Warning } from "../contracts/model-response.ts";
import type { RunContext } from "../contracts/run-context.ts";
import type { AgentOptions, RunOptions, InheritedRunOptions } from "../contracts/run-options.ts";
import type { RunEvent } from "../contracts/run-event.ts";
import type { Journal } from "../journal/journal.ts";
import type { ActiveExtension } from "./active-extension.ts";
import type { Points } from "./part.ts";
import type { Catalogue } from "../registry/catalogue.ts";
import type { AgentRole } from "./settings/option-row.ts";
import type { EffectiveSettings } from "./settings/run-settings.ts";
import type { SessionState } from "./state/session-state.ts";

/** Shows live events; events without an observer are never built. */
export interface EventSink {
  /** True if a listener takes events of this kind; check it before building one. */
  wants(type: RunEvent["type"]): boolean;
  /** Shows an event that is not journaled. */
  show(event: LiveEvent): void;
}

/** An agent after its options were checked; shared by all its runs. */
export interface AgentDefinition {
  readonly name: string;
  readonly role: AgentRole;
  readonly options: AgentOptions;
  readonly model: ModelProvider;
  readonly definitionHash: string;
  readonly store: RunStore;
  readonly ledger: Ledger;
  readonly hasher: Hasher;
  readonly secrets: SecretsPort | undefined;
  readonly sanitizer: SanitizerPort | undefined;
  readonly sandbox: SandboxPort | undefined;
  readonly download: SecurityPorts["download"];
  readonly signer: ApprovalSigner | undefined;
  readonly sealer: Sealer | undefined;
  readonly outputJsonSchema: JsonSchema | undefined;
  /** HTTP client for model calls, once it is loaded. */
  readonly http: { readonly fetch: typeof fetch | undefined; ready(): Promise<void> | undefined };
  /** Resolves a spec through the agent's `models`. */
  readonly resolveModel: (spec: ModelSpec) => ModelProvider;
}

/**
 * One run while this process drives it. Passed to the loop and to every stage of a tool call; lasting state is in
 * `journal.state`, everything here can be rebuilt.
 */
export interface ActiveRun {
  readonly runId: string;
  readonly definition: AgentDefinition;
  /** The agent's settings with the run's on top, tightened where a run may only tighten. */
  readonly settings: EffectiveSettings;
  readonly options: RunOptions;
  readonly journal: Journal;
  readonly events: EventSink;
  readonly context: RunContext;
  /** In the order in which they are asked; those of the calling run last. */
  readonly extensions: readonly ActiveExtension[];
  readonly sessionState: SessionState;
  /** Hooks, guardrails and extensions at the points where they are asked. */
  readonly points: Points<ActiveRun>;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Adds a warning to the output and the events, once per code and subject. */
  readonly warn: (warning: Warning) => void;
  /**
   * Calls back when the run is cancelled, times out, or loses its lease, at once if it has; returns a function that forgets.
   * Lighter than a listener on `context.signal`, which is made when it is first asked for.
   */
  readonly onStop: (callback: () => void) => () => void;
  /** Calls back when the reader leaves while the run only waits for a person, at once if it has; returns a function that forgets. */
  readonly onLeave: (callback: () => void) => () => void;
  /** Returns true if a run inside the call is driven here and only waits for a person. */
  readonly waitsInside: (toolCallId: string) => boolean;
  readonly flow: FlowRun | undefined;
  /** Marks this run's sanitizer envelope. */
  readonly nonce: string;
  /** Labels of what runs inside a call have read, by the call's id. */
  readonly readInside: Map<string, readonly Label[]>;
  /** Joined labels of the memories that a tool recalled, by the call's id. */
  readonly recalled: Map<string, ResultLabel>;
  /** The usage of runs inside calls that is counted in this run: by the call's id, and the run's. */
  readonly spentInside: Map<string, Map<string, readonly AgentUsage[]>>;
  /** Depth of agents inside agents; 0 for the outer run. */
  readonly depth: number;
  /** Canonical conversation as compiled for the last request. */
  readonly messages: () => readonly Message[];
  /** Options that a tool passes to a run that it starts. */
  readonly runOptionsFor: (toolCallId: string) => InheritedRunOptions;
  /** Collects what nested runs and `preferredModel` ask of the next turn; not journaled. */
  nextModel: ModelSpec | undefined;
}
