import { createAgentRuntime } from "@bailiwick/core";
import type { SessionStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect } from "vitest";

/** Texts that another program may have written into the table of messages, and what the next run makes of each. */
export const unreadableRows: readonly (readonly [name: string, text: string, fate: "repaired" | "left out"])[] = [
  ["null", "null", "left out"],
  ["a text", '"hello"', "left out"],
  ["an unknown role", '{"id":"m1","role":"bot","content":"hello"}', "left out"],
  ["an answer whose content is a text", '{"id":"m1","role":"assistant","content":"hello"}', "repaired"],
  ["an answer without content", '{"id":"m1","role":"assistant","content":null}', "repaired"],
  [
    "a call in the form of OpenAI",
    '{"id":"m1","role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}',
    "repaired",
  ],
  [
    "a call in the form of the AI SDK",
    '{"id":"m1","role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"look","input":{}}]}',
    "repaired",
  ],
];

/**
 * A session with an unreadable row: two runs complete, the first with a warning, and the session can be read.
 *
 * @param sessions - The store's sessions.
 * @param replaceRow - Writes the text into the first message's row.
 * @param text - What another program wrote.
 * @param fate - What the warning says.
 */
export async function runsWithRow(
  sessions: SessionStore,
  replaceRow: (text: string) => Promise<void> | void,
  text: string,
  fate: string,
): Promise<void> {
  const model = scriptedModel(() => "Understood.");
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const agent = createAgentRuntime({ name: "agent", model, session: sessions, logger: quiet });
  await agent.run("The first question.", { sessionId: "s" });
  await replaceRow(text);
  const second = await agent.run("The second question.", { sessionId: "s" });
  expect(second.status).toBe("completed");
  expect(second.warnings).toContainEqual(
    expect.objectContaining({ code: "message_unreadable", message: expect.stringContaining(fate) as string }),
  );
  expect((await agent.run("The third question.", { sessionId: "s" })).status).toBe("completed");
}
