import type { JournalEvent, RunRecord } from "@bailiwick/core";

/** The fields with which a run is created. */
export const record = (id: string): RunRecord => ({
  id,
  agentId: "a",
  definitionHash: "d",
  sessionId: "s",
  input: "hi",
});

/** A record without an effect on the state, at its position. */
export const note = (runId: string, seq: number, text: string = "text"): JournalEvent => ({
  type: "hook.failed",
  seq,
  at: 1,
  key: `hook.failed#${seq}`,
  label: "system",
  runId,
  hook: text,
  error: { name: "E", code: "E", message: "" },
});
