import { createAgentRuntime, memoryStore, type Message, type ModelProvider } from "@bailiwick/core";
import { anthropic } from "@bailiwick/providers-anthropic";
import { openai } from "@bailiwick/providers-openai";
import { modelServer } from "@bailiwick/testing/model-server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { google } from "./index.ts";

const apiKey = "test";
const models: Readonly<Record<string, (at: (vendor: "openai" | "anthropic" | "google") => string) => ModelProvider>> = {
  Responses: (at) => openai("gpt-4.1", { apiKey, baseURL: at("openai") }),
  Chat: (at) => openai("gpt-4.1", { api: "chat", apiKey, baseURL: at("openai") }),
  Claude: (at) => anthropic("claude-opus-5", { apiKey, baseURL: at("anthropic") }),
  Gemini: (at) => google("gemini-3-pro", { apiKey, baseURL: at("google") }),
};
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const odd = fc.constantFrom<unknown>(undefined, null, 5, "", "x", true, [], {}, [null], { type: "text" }, new Date(0));
const part = fc.record(
  {
    type: fc.constantFrom(
      "text",
      "image",
      "audio",
      "file",
      "reasoning",
      "refusal",
      "tool_call",
      "tool-call",
      "hosted_tool",
      "source",
      "video",
    ),
    text: fc.oneof(fc.constant("hi"), odd),
    data: fc.oneof(fc.constant("AQID"), odd),
    url: fc.oneof(fc.constant("https://example.com/a.png"), odd),
    mimeType: fc.oneof(fc.constant("image/png"), odd),
    filename: fc.oneof(fc.constant("a.pdf"), odd),
    toolCallId: fc.oneof(fc.constant("c1"), odd),
    toolName: fc.oneof(fc.constant("look"), odd),
    input: odd,
    output: odd,
    untrusted: odd,
  },
  { requiredKeys: ["type", "text", "toolCallId"] },
);
const call = fc.record({
  id: fc.oneof(fc.constant("c1"), odd),
  name: fc.oneof(fc.constant("look"), odd),
  arguments: fc.oneof(fc.constant("{}"), odd),
});
const near = fc.oneof(
  odd,
  fc.record(
    {
      id: fc.oneof({ weight: 9, arbitrary: fc.constant("m") }, { weight: 1, arbitrary: odd }),
      role: fc.constantFrom("system", "user", "assistant", "tool", "robot"),
      content: fc.oneof(fc.array(part, { maxLength: 3 }), fc.constant("hi"), odd),
      toolCalls: fc.oneof(fc.array(call, { maxLength: 2 }), fc.constant([]), odd),
      finishReason: fc.oneof(fc.constant("stop"), odd),
      provenance: fc.oneof(fc.constant({ provider: "p", api: "a", model: "m" }), odd),
      toolCallId: fc.oneof(fc.constant("c1"), odd),
      toolName: fc.oneof(fc.constant("look"), odd),
      name: odd,
      timestamp: odd,
      usage: odd,
      isError: odd,
      partial: odd,
      failedRun: odd,
      continues: odd,
      hostedApproval: odd,
    },
    { requiredKeys: ["id", "role", "content", "toolCalls", "finishReason", "provenance", "toolCallId", "toolName"] },
  ),
);

for (const [name, make] of Object.entries(models)) {
  test(`a message of a random form is refused, or each later run of the session works (${name}) [memory.session-store.checked]`, async () => {
    await using server = await modelServer(() => "ok");
    const model = make((vendor) => server.baseURL(vendor));
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(near, async (message) => {
        const store = memoryStore();
        const agent = createAgentRuntime({ name: "agent", model, store, session: store.sessions, logger: quiet });
        const given = [{ id: "u", role: "user", content: "hi" }, message] as Message[];
        const outcome = await store.sessions
          .append("s", given, { runId: "import", seq: 1 })
          .catch((error: unknown) => error);
        if (outcome !== undefined) {
          expect(outcome).toMatchObject({ code: "INVALID_MESSAGE" });
          return;
        }
        taken += 1;
        for (let turn = 0; turn < 2; turn += 1)
          expect(await agent.run("go", { sessionId: "s" })).toMatchObject({ status: "completed", text: "ok" });
      }),
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(10);
  });

  test(`a session that holds a message of a random form still works (${name}) [memory.session-store.readable]`, async () => {
    await using server = await modelServer(() => "ok");
    const model = make((vendor) => server.baseURL(vendor));
    await fc.assert(
      fc.asyncProperty(near, async (message) => {
        const store = memoryStore();
        const session = {
          ...store.sessions,
          load: async (id: string) => ({ id, messages: [message as Message], state: {} }),
        };
        const agent = createAgentRuntime({ name: "agent", model, store, session, logger: quiet });
        expect(await agent.run("go", { sessionId: "s" })).toMatchObject({ status: "completed", text: "ok" });
      }),
      { numRuns: 200 },
    );
  });
}
