/** How hard a model thinks. Either setting is translated to what the model takes. */
export interface ReasoningConfig {
  readonly enabled: boolean;
  /** Effort level. */
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | undefined;
  /** Thinking budget in tokens. */
  readonly budgetTokens?: number | undefined;
  /** True if a readable summary is asked for where the vendor has one; default `"auto"`. */
  readonly summary?: "auto" | "concise" | "detailed" | "none" | undefined;
}
