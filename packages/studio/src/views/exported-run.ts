import type { JournalEvent } from "@bailiwick/core";
import { inputText } from "@bailiwick/core/store";
import type { RunRecording } from "@bailiwick/testing";
import type { StudioExport } from "./view-types.ts";

/**
 * A finished run as a test that replays it, or as one case for an evaluation.
 *
 * @param events - The journal, in order.
 * @param kind - `test` or `case`.
 * @param entry - Module that exports the agent, as the test imports it.
 * @throws CassetteError `CASSETTE_UNSUPPORTED` for a run that cannot be recorded.
 */
export async function exportedRun(
  events: readonly JournalEvent[],
  kind: "test" | "case",
  entry: string,
): Promise<StudioExport> {
  const { recordRun } = await import("@bailiwick/testing");
  const recording = recordRun(events);
  const input = inputText(recording.input.content);
  const name = fileName(input === "" ? recording.agent : input);
  if (kind === "test") return { name: `${name}.test.ts`, text: testOf(recording, input, entry) };
  const { stopReason, text: answer, calls } = recording.expected;
  const expected = { answer, stopReason, calls: calls.map(({ tool, args }) => ({ tool, args })) };
  return { name: `${name}.case.json`, text: `${code({ agent: recording.agent, input, expected })}\n` };
}

/** Package of `test` and `expect` in a saved test. */
const testRunner = "vitest";

function testOf(recording: RunRecording, input: string, entry: string): string {
  const title = `${recording.agent}: ${input.replaceAll(/\s+/gu, " ").trim().slice(0, 80)}`;
  return `import { replayRun, type RunRecording } from "@bailiwick/testing";
import { expect, test } from ${code(testRunner)};
// The module that exports the agent ${code(recording.agent)}.
import * as entry from ${code(entry)};

test(${code(title)}, async () => {
  const { differences } = await replayRun(entry, recording);
  expect(differences).toEqual([]);
});

// The answers of the model, the results of the tools and the decisions of people. It holds the data of the run.
const recording: RunRecording = ${code(recording)};
`;
}

/** JSON that is also a literal of TypeScript: the separators that JSON allows in texts are escaped. */
function code(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function fileName(text: string): string {
  const name = text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "");
  return name.slice(0, 48).replace(/-+$/u, "") || "run";
}
