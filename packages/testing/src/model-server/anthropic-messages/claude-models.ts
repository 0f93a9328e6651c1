/** The model's version as one number: Claude Opus 4.7 is 4.7. Unknown names count as old. */
function version(model: string): number {
  const match = /claude-[a-z]+-(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model);
  return match === null ? 0 : Number(`${match[1]}.${match[2] ?? "0"}`);
}

/** True if the model refuses a conversation that ends with the assistant: 4.6 and later. */
export function refusesPrefill(model: string): boolean {
  return version(model) >= 4.6;
}

/**
 * True if the model decides by itself how much it thinks, and refuses budgets and sampling settings: Opus 4.7, and 5
 * and later.
 */
export function thinksAdaptively(model: string): boolean {
  return version(model) >= (model.includes("opus") ? 4.7 : 5);
}

/** True if the model accepts system messages inside a conversation: Opus 4.8, and 5 and later. */
export function takesSystemMessages(model: string): boolean {
  return version(model) >= (model.includes("opus") ? 4.8 : 5);
}

/** True if thinking cannot be disabled: Fable, Mythos, and the others from 5.5. */
export function alwaysThinks(model: string): boolean {
  return /claude-(fable|mythos)/.test(model) || version(model) >= 5.5;
}

/** True if the model refuses a forced tool call: Fable and Mythos from 5.1, the others from 5.5. */
export function refusesForcedTools(model: string): boolean {
  return version(model) >= (/claude-(fable|mythos)/.test(model) ? 5.1 : 5.5);
}
