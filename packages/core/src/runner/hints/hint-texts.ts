// Texts of advice for developers. They load with the first use. The file imports nothing, so that bundlers split no other
// code.

/** A run waits, and its store is in memory. */
export function inMemory(runId: string, agent: string): string {
  return `Run ${runId} waits, and agent "${agent}" has no store: the run is lost when this process ends. Set "store" to resume it elsewhere.`;
}

/** A run names a session that nothing keeps. */
export function sessionMissing(runId: string, sessionId: string, agent: string): string {
  return `Run ${runId} has the sessionId "${sessionId}", and agent "${agent}" has no session: no later run reads its messages. Add session: store.sessions, or session: memorySessions(), to the agent.`;
}

/** A tool prefers a tier that has no model. */
export function tierMissing(tool: string, tier: string, agent: string): string {
  return `Tool "${tool}" prefers a model of the tier "${tier}", and agent "${agent}" has none: its own model reads the result. Add modelTiers: { ${tier}: model } to the agent, or remove preferredModel.`;
}

/** A tool declares a key and did not read it. */
export function keyUnread(tool: string): string {
  return `"${tool}" declares idempotencyKey: "call", but its execute did not read ctx.idempotencyKey. After a crash the call is repeated: give the key to the service, or leave idempotencyKey out, so that a person is asked first.`;
}

/** A call holds a secret, and no key can seal it for an approval. */
export function sealMissing(tool: string, runId: string): string {
  return `A call of "${tool}" in run ${runId} was refused: its arguments hold a known secret. To let people approve such calls, give Agent({ keys: { seal } }).`;
}
