import { expect, test } from "vitest";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import { createAgentRuntime, type AgentRuntime } from "../agent-runtime.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A model that answers with the text of a response, or sends no request. */
function modelThat(asks: boolean): ModelProvider {
  return {
    provider: "here",
    api: "none",
    modelId: "quick",
    capabilities: {
      input: { image: false, audio: false, file: false },
      toolResultMedia: "none",
      toolCallId: {},
      toolName: { pattern: /^[a-z]+$/, maxLength: 64 },
      replaysReasoning: false,
      systemAnywhere: true,
      structuredOutput: "none",
    },
    generate: async ({ fetch: send = fetch }) => ({
      message: {
        role: "assistant",
        id: "m1",
        content: [{ type: "text", text: asks ? await (await send("https://model.test/")).text() : "42" }],
        toolCalls: [],
        finishReason: "stop",
        provenance: { provider: "here", api: "none", model: "quick" },
        timestamp: 0,
      },
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      finishReason: "stop",
      warnings: [],
      raw: undefined,
    }),
    stream: () => {
      throw new Error("This test has no observer of deltas.");
    },
  };
}

function agentWith(load: () => Promise<typeof fetch>, asks = true): AgentRuntime {
  return createAgentRuntime({ name: "a", model: modelThat(asks), logger: quiet }, {}, { fetch: load });
}

const answers =
  (text: string): typeof fetch =>
  () =>
    Promise.resolve(new Response(text));

test("the HTTP client loads with the first request, and once for all requests [seams.packages.late-parts]", async () => {
  let loads = 0;
  const load = (): Promise<typeof fetch> => {
    loads += 1;
    return Promise.resolve(answers("sent"));
  };
  expect((await agentWith(load, false).run("go")).text).toBe("42");
  expect(loads).toBe(0);
  const agent = agentWith(load);
  const texts = await Promise.all([agent.run("go"), agent.run("go")]);
  expect([...texts, await agent.run("go")].map(({ text }) => text)).toEqual(["sent", "sent", "sent"]);
  expect(loads).toBe(1);
});

test("a request after the HTTP client failed to load tries again [seams.packages.late-parts-fail-closed]", async () => {
  let isMissing = true;
  const agent = agentWith(() =>
    isMissing ? Promise.reject(new Error("no such file")) : Promise.resolve(answers("sent")),
  );
  const error: unknown = await agent.run("go").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "PART_UNAVAILABLE", cause: { message: "no such file" } });
  isMissing = false;
  expect((await agent.run("go")).text).toBe("sent");
});
