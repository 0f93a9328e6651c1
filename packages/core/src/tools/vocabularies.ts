import type {
  InboundSanitizationPolicy,
  MemoryGuardTier,
  ModelHint,
  SandboxPolicy,
  Sensitivity,
  SideEffectClass,
  TruncationStrategy,
} from "../contracts/vocabularies.ts";

/** The closed vocabularies as values, for programs without types. */
export const VOCABULARIES: {
  readonly sandboxPolicy: readonly SandboxPolicy[];
  readonly sideEffectClass: readonly SideEffectClass[];
  readonly sensitivity: readonly Sensitivity[];
  readonly memoryGuardTier: readonly MemoryGuardTier[];
  readonly inboundSanitization: readonly InboundSanitizationPolicy[];
  readonly truncationStrategy: readonly TruncationStrategy[];
  readonly modelHint: readonly ModelHint[];
  readonly executionMode: readonly ("parallel" | "sequential")[];
  readonly idempotencyScope: readonly ("run" | "session" | "tenant")[];
  readonly cacheScope: readonly ("run" | "session" | "user" | "tenant")[];
  readonly integrity: readonly ("system" | "verified" | "untrusted")[];
  readonly returns: readonly ("own" | "outside" | "mixed")[];
  readonly changes: readonly ("nothing" | "own" | "outside")[];
} = {
  sandboxPolicy: ["none", "wasm", "process", "os", "remote"],
  sideEffectClass: ["pure", "read-only", "side-effecting", "external-stateful"],
  sensitivity: ["public", "internal", "secret"],
  memoryGuardTier: ["frozen", "approve", "labelled", "isolated"],
  inboundSanitization: [
    "pass-through",
    "detect-and-flag",
    "detect-and-strip",
    "detect-and-wrap",
    "detect-and-strip-and-wrap",
  ],
  truncationStrategy: ["middle", "tail", "spill", "summarize"],
  modelHint: ["fast", "balanced", "smart"],
  executionMode: ["parallel", "sequential"],
  idempotencyScope: ["run", "session", "tenant"],
  cacheScope: ["run", "session", "user", "tenant"],
  integrity: ["system", "verified", "untrusted"],
  returns: ["own", "outside", "mixed"],
  changes: ["nothing", "own", "outside"],
};
