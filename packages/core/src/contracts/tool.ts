import type { PreviewContext, ToolPreview } from "./preview.ts";
import type { ContentPart } from "./content-part.ts";
import type { ModelSpec } from "./model-provider.ts";
import type { ToolRetryConfig } from "./retry-config.ts";
import type { RunContext } from "./run-context.ts";
import type { ModuleEntry, SandboxConfig, TierlessSandboxConfig } from "./sandbox-config.ts";
import type { Schema } from "./schema.ts";
import type { ToolExecutionContext } from "./tool-context.ts";
import type { ToolFlow, ToolOutputTrust } from "./tool-flow.ts";
import type {
  InboundSanitizationPolicy,
  MemoryGuardTier,
  ModelHint,
  SandboxPolicy,
  Sensitivity,
  SideEffectClass,
  TruncationStrategy,
} from "./vocabularies.ts";

/** A worked example shown to the model; checked against the schemas at registration. */
export interface ToolExample<Input = unknown, Output = unknown> {
  /** Arguments of the example; they match `inputSchema`. */
  readonly input: Input;
  /** Result of the example; it matches `outputSchema`. */
  readonly output?: Output | undefined;
  /** A sentence for the model about the example. */
  readonly comment?: string | undefined;
}

/** The answer of `lookup` about an effect that may have happened. */
export type LookupResult<Output = unknown> =
  | { readonly status: "done"; readonly output: Output }
  | { readonly status: "absent" }
  | { readonly status: "unknown" };

/** Lifetime and scope of a kept result. */
export interface ToolCacheConfig {
  /** Time to live in milliseconds. */
  readonly ttlMs: number;
  /** Default `user`; `tenant` needs `sensitivity: "public"` or `shared: true`. */
  readonly scope?: "run" | "session" | "user" | "tenant" | undefined;
  /** True if one user's results may be given to other users. Default `false`. */
  readonly shared?: boolean | undefined;
}

/** The fields of a tool that do not depend on its types. */
export interface ToolFields {
  /** Shown to the model; indexed by tool search. */
  readonly description: string;
  /** JSON Schema of the input, for schemas that cannot convert themselves. */
  readonly inputJsonSchema?: object | undefined;
  /** Isolation of the tool; a closure takes only `"none"`. */
  readonly sandboxPolicy?: SandboxPolicy | SandboxConfig | TierlessSandboxConfig | undefined;
  /** Ask the vendor to enforce the input schema. */
  readonly strict?: boolean | undefined;
  /** Labels for operators, policies, tool search and the model: shown below the description. */
  readonly tags?: readonly string[] | undefined;
  /** A sequential call waits for all earlier calls and delays all later ones. Default `parallel`. */
  readonly executionMode?: "parallel" | "sequential" | undefined;
  /** Execution time in milliseconds; default 60,000; `0` is bounded by the run. */
  readonly timeoutMs?: number | undefined;
  /** The only names that `ctx.secrets` resolves. */
  readonly secretsAllowed?: readonly string[] | undefined;
  /** Default `internal`. */
  readonly sensitivity?: Sensitivity | undefined;
  /** Limits what the tool may do to memory. Default: by the source of the tool. */
  readonly memoryGuardTier?: MemoryGuardTier | undefined;
  /** Cleans results before the model reads them. Default: by the source of the tool. */
  readonly inboundSanitization?: InboundSanitizationPolicy | undefined;
  /** Required to weaken `inboundSanitization` below the default of an untrusted source. */
  readonly allowWeakerSanitization?: boolean | undefined;
  /** Required for a trusted skill without a sandbox. */
  readonly allowUnsandboxed?: boolean | undefined;
  /** Turns a finding of the sanitizer, or a failed scan, into an error. Default `false`. */
  readonly failClosed?: boolean | undefined;
  /** Hides the tool from the model until `tool_search` finds it. Default `false`. */
  readonly defer_loading?: boolean | undefined;
  /**
   * Limit of the result that the model gets, in tokens of 4 bytes. Default 16,384; `0` sets no limit, with a warning.
   */
  readonly maxResultTokens?: number | undefined;
  /** Part of a long result that is kept. Default `middle` for text, `spill` for other values. */
  readonly truncationStrategy?: TruncationStrategy | undefined;
  /** True if the advertised description includes examples. Default: not for deferred tools. */
  readonly examplesEagerlyRendered?: boolean | undefined;
  /**
   * The people who write what the tool returns, short for `output`. `own`: your own systems; it covers ids, numbers,
   * booleans, dates and values of enums, while free text in the result is content that decides nothing. `outside`: others
   * write it. `mixed`: others write parts of it, so nothing in it decides; name the own fields in `output.fields` instead.
   * The result may be seen by the run's user and the application. Default: `outside`.
   */
  readonly returns?: "own" | "outside" | "mixed" | undefined;
  /**
   * The state that a call changes, short for `sideEffectClass`. `nothing`: `read-only`. `own`: state that only this agent
   * reads, such as drafts or notes, `side-effecting`. `outside`: anything else, `external-stateful`. Default: as for
   * `sideEffectClass`.
   */
  readonly changes?: "nothing" | "own" | "outside" | undefined;
  /**
   * The change that a call makes outside: `pure` and `read-only` tools may run again, every other class is a writer.
   * Default: guessed from the name and the description of your own tools, a writer if unclear; tools of servers are
   * writers.
   */
  readonly sideEffectClass?: SideEffectClass | undefined;
  /** Default `tenant` for a function, `run` for `"call"`. */
  readonly idempotencyScope?: "run" | "session" | "tenant" | undefined;
  /** Lifetime of a key, in milliseconds; default 24 h. */
  readonly idempotencyTtlMs?: number | undefined;
  /** Caches results; allowed for `pure` and `read-only` tools. */
  readonly cache?: ToolCacheConfig | undefined;
  /** Retries of the execution after a temporary failure. Default: none. */
  readonly retry?: ToolRetryConfig | undefined;
  /** Allows `ctx.streamContent` and `ctx.reportProgress`. */
  readonly streamingHint?: true | undefined;
  /** The model that reads this tool's result next. */
  readonly preferredModel?: ModelHint | ModelSpec | undefined;
}

/**
 * A tool with its types erased: callbacks take `unknown`, and the types travel in one covariant phantom, so that
 * every typed tool is assignable to `Tool`. Made by `tool()` and `sandboxedTool()`.
 */
export interface Tool<
  Input = unknown,
  Output = unknown,
  Dependencies = unknown,
  Name extends string = string,
> extends ToolFields {
  /** 1 to 128 of `A-Za-z0-9._-`. */
  readonly name: Name;
  /** A Standard Schema, or JSON Schema. */
  readonly inputSchema: object;
  /** Schema of the result: the framework validates what `execute` returns. */
  readonly outputSchema?: Schema | undefined;
  /** A person approves the call first: always, or for the inputs for which the function returns true. Default `false`. */
  readonly needsApproval?:
    | boolean
    | ((input: unknown, ctx: ToolExecutionContext) => boolean | Promise<boolean>)
    | undefined;
  /** One sentence that describes the call to the person who decides. */
  readonly describeCall?: ((input: unknown) => string) | undefined;
  /** Shows the person who decides what the call would do; see `tool()`. */
  readonly preview?: ((input: unknown, ctx: PreviewContext) => Promise<ToolPreview> | ToolPreview) | undefined;
  /** Arguments that decide what happens to whom, short for `flow.authority`. */
  readonly decides?: readonly string[] | undefined;
  /** Tools whose pending step a call of this tool completes, short for `flow.confirms`. */
  readonly confirms?: readonly string[] | undefined;
  /** Which arguments decide, which are content, and who sees the call. */
  readonly flow?: ToolFlow | undefined;
  /** Integrity of the result, and the people who may see it. */
  readonly output?: ToolOutputTrust | undefined;
  /** Offers the tool in a run only if true. Default `true`. */
  readonly isEnabled?: boolean | ((ctx: RunContext) => boolean | Promise<boolean>) | undefined;
  /** Makes the text or the parts of the output that the model reads. */
  readonly toModelOutput?: ((output: unknown, input: unknown) => string | readonly ContentPart[]) | undefined;
  /** Example calls for the model. */
  readonly examples?: readonly ToolExample[] | undefined;
  /**
   * Key of a call; two calls with the same key are one effect. After a crash, `execute` runs again with the same key:
   * pass `ctx.idempotencyKey` to the service, which must ignore a key that it has seen.
   */
  readonly idempotencyKey?:
    | "call"
    | ((input: unknown, ctx: ToolExecutionContext) => string | Promise<string>)
    | undefined;
  /** Finds out after a crash if the effect of a key has happened. */
  readonly lookup?: ((key: string, input: unknown, ctx: ToolExecutionContext) => Promise<LookupResult>) | undefined;
  /** A closure, or the module entry of a sandboxed tool. */
  readonly execute: ((input: unknown, ctx: ToolExecutionContext) => unknown) | ModuleEntry;
  /** Set by `agent.asTool()` and handoffs; read by the runner. */
  readonly composition?: unknown;
  /** Set by `clientTool()`: the run suspends, and the client runs the call. */
  readonly runsOn?: "client" | undefined;
  /** Types only; never present at run time. */
  readonly "~tool"?: { readonly input: Input; readonly output: Output; readonly dependencies: Dependencies };
}
