/** True if OpenAI runs the model as a reasoning model: the o series, and GPT-5 and later except its chat variants. */
export function isReasoningModel(model: string): boolean {
  const name = model.replace(/^.*\//, "");
  return /^(o\d|gpt-([5-9]|\d\d)|codex)/.test(name) && !name.includes("-chat");
}

/** True if sampling settings are refused: by reasoning models, unless GPT-5.1 or later runs without effort. */
export function refusesSampling(model: string, effort: unknown): boolean {
  return isReasoningModel(model) && !(effort === "none" && !/^gpt-5(?!\.\d)/.test(model));
}
