/**
 * Isolation tier. A tool can only raise the tier of its trust class, in the order `none < process < os < remote`;
 * `wasm` is as strong as `os` and outside the order, since it cannot run npm modules.
 */
export type SandboxPolicy = "none" | "wasm" | "process" | "os" | "remote";

/**
 * The effect of a tool. `pure`: deterministic, no I/O. `read-only`: reads the outside. `side-effecting`: changes state
 * that only this agent reads. `external-stateful`: changes anything else. The last two are writers.
 */
export type SideEffectClass = "pure" | "read-only" | "side-effecting" | "external-stateful";

/** Confidentiality of a tool's payload. */
export type Sensitivity = "public" | "internal" | "secret";

/** The rights of a tool in memory: none, only with approval, write with its label kept, write to its own namespace. */
export type MemoryGuardTier = "frozen" | "approve" | "labelled" | "isolated";

/** Trust class of a tool; derived from its source alone. */
export type ToolTrustClass =
  | "first-party-built-in"
  | "first-party-user-defined"
  | "skill-trusted"
  | "skill-untrusted"
  | "mcp-derived"
  | "web-search";

/** The origin of a tool. */
export type ToolSource =
  | { readonly kind: "first-party" }
  | { readonly kind: "built-in"; readonly subsystem: string }
  | { readonly kind: "skill"; readonly skillName: string; readonly trustLevel: "trusted" | "untrusted" }
  | { readonly kind: "mcp"; readonly serverIdentity: string }
  | { readonly kind: "web-search"; readonly providerName: string }
  | { readonly kind: "client" };

/** Treatment of a result before the model reads it. */
export type InboundSanitizationPolicy =
  | "pass-through"
  | "detect-and-flag"
  | "detect-and-strip"
  | "detect-and-wrap"
  | "detect-and-strip-and-wrap";

/** How a result is shortened that exceeds `maxResultTokens` or `toolResultLimit.maxTokens`. */
export type TruncationStrategy = "middle" | "tail" | "spill" | "summarize";

/** Cost tier, mapped to a model by the agent's `modelTiers`. */
export type ModelHint = "fast" | "balanced" | "smart";

/** How tools of the same name from different sources are named. */
export type CollisionStrategy = "auto-prefix" | "priority" | "manual";

/** Every kind of failure of a call. */
export type ToolErrorKind =
  | "unknown_tool"
  | "invalid_input"
  | "invalid_output"
  | "approval_denied"
  | "approval_expired"
  | "policy_denied"
  | "sandbox_violation"
  | "sandbox_unavailable"
  | "timeout"
  | "aborted"
  | "rate_limited"
  | "execution_failed"
  | "unknown_outcome"
  | "inbound_sanitization_blocked"
  | "capability_blocked";

/** A remedy that the model can try after a failed call. */
export type RecoveryHint = "retry_later" | "check_input" | "try_alternative" | "report_to_user";

/** A person, group or system that may see a value, as `kind:value` (`user:u1`, `source:crm`). */
export type Principal = `${string}:${string}`;
