import type { Ending } from "./limits/run-control.ts";

/** What the loop does next. */
export type Step = "ask" | "tools" | "answer";

/** What a step says: go on with another, or end. */
export type StepResult = { readonly next: Step } | { readonly ending: Ending };
