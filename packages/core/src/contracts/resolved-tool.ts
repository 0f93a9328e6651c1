import type { SchemaIssue } from "./schema.ts";
import type { JsonSchema } from "./json.ts";
import type { ModelSpec } from "./model-provider.ts";
import type { SandboxWord } from "./ports/sandbox.ts";
import type { SandboxConfig } from "./sandbox-config.ts";
import type { Tool } from "./tool.ts";
import type {
  InboundSanitizationPolicy,
  MemoryGuardTier,
  ModelHint,
  SandboxPolicy,
  Sensitivity,
  SideEffectClass,
  ToolSource,
  ToolTrustClass,
  TruncationStrategy,
} from "./vocabularies.ts";

/** Result of checking a value against a tool's schema. */
export type Validation<T = unknown> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/**
 * A registered tool: a frozen record with every default filled in. The `__` fields are getters over one set of facts.
 */
export interface ResolvedTool<Input = unknown, Output = unknown, Dependencies = unknown> extends Tool<
  Input,
  Output,
  Dependencies
> {
  readonly sandboxPolicy: SandboxPolicy;
  /** Limits and rights of the tool's sandbox. */
  readonly sandboxConfig: SandboxConfig;
  readonly executionMode: "parallel" | "sequential";
  /** Undefined if the tool sets none: the agent's `toolTimeoutMs` applies, then 60,000. */
  readonly timeoutMs: number | undefined;
  readonly secretsAllowed: readonly string[];
  readonly sensitivity: Sensitivity;
  readonly memoryGuardTier: MemoryGuardTier;
  readonly inboundSanitization: InboundSanitizationPolicy;
  readonly failClosed: boolean;
  /** The tool's own, or 16,384. `toolResultLimit` of the agent replaces the default, see `__resultLimitDeclared`. */
  readonly maxResultTokens: number;
  /** Undefined: `middle` for text, `spill` for other values. */
  readonly truncationStrategy: TruncationStrategy | undefined;
  readonly idempotencyScope: "run" | "session" | "tenant";
  readonly idempotencyTtlMs: number;
  /** True if the tool sets `maxResultTokens`; otherwise `toolResultLimit` of the agent comes first. */
  readonly __resultLimitDeclared: boolean;
  /** Description with tags and eagerly rendered examples, as advertised. */
  readonly __advertisedDescription: string;
  /** True if the tool or the operator chose `inboundSanitization`; otherwise the label of a result may require more. */
  readonly __sanitizationDeclared: boolean;
  /** The source of the tool, such as the agent itself or an MCP server. */
  readonly __source: ToolSource;
  /** The trust class of the source. */
  readonly __trustClass: ToolTrustClass;
  /** True if the model gets the tool only after a search. */
  readonly __effectiveDeferLoading: boolean;
  /** The declared or assumed effect. */
  readonly __sideEffectClass: SideEffectClass;
  /** True if the effect was declared (by author, operator or source class), false if it is an assumption. */
  readonly __effectDeclared: boolean;
  /** True if the effect is only the word of the server, which the operator chose to trust. */
  readonly __effectHinted: boolean;
  /** True if the output's integrity was declared, false if it is an assumption. */
  readonly __outputDeclared: boolean;
  /** True if free text of the output is content, also where the output is verified: `returns: "own"`. */
  readonly __textIsContent: boolean;
  /** True for `side-effecting` and `external-stateful`, unless the tool is contained: its calls are gated. */
  readonly __isWriter: boolean;
  /** True for writers and contained tools: the intent of a call is stored before it runs. */
  readonly __isJournaledFirst: boolean;
  /** True if calls only change a copy that is restored before a repetition; set by `containedTool()`. */
  readonly __isContained: boolean;
  /** True if the tool declares an `idempotencyKey`. */
  readonly __hasIdempotencyKey: boolean;
  /** True if the tool reports parts of its result while it runs. */
  readonly __streamingHint: boolean;
  /** Number of examples. */
  readonly __exampleCount: number;
  /** The model for the turn after the call. */
  readonly __preferredModel?: ModelHint | ModelSpec | undefined;
  /** JSON Schema of the arguments. */
  readonly __inputJsonSchema: JsonSchema;
  /** JSON Schema of the result. */
  readonly __outputJsonSchema?: JsonSchema | undefined;
  /** Hash of name, description and schema: what approvals, pins and resumed runs are checked against. */
  readonly __definitionHash: string;
  /** The facts that a sandbox needs about a module entry; undefined for a closure. */
  readonly __sandbox: { readonly saidBy: SandboxWord; readonly moduleHash: string } | undefined;
  /** Validates arguments; synchronous where the schema is. */
  readonly __validateInput: (value: unknown) => Validation | Promise<Validation>;
  /** Validates output; absent without `outputSchema`. */
  readonly __validateOutput?: ((value: unknown) => Validation | Promise<Validation>) | undefined;
}
