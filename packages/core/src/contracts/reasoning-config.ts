/** Amount of a model's reasoning. Each adapter translates either setting for its vendor. */
export interface ReasoningConfig {
  /** Turns reasoning on or off. */
  readonly enabled: boolean;
  /** Effort level. */
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | undefined;
  /** Thinking budget in tokens. */
  readonly budgetTokens?: number | undefined;
  /** True to request a readable summary, if the vendor has one. Default `"auto"`. */
  readonly summary?: "auto" | "concise" | "detailed" | "none" | undefined;
}
