import type { ModelRequest, ReasoningConfig } from "@bailiwick/core/provider";
import { describe, expect, test } from "vitest";
import type { CompatName } from "./server-record.ts";
import { replaying } from "./replay.fixture.ts";

type Effort = NonNullable<ReasoningConfig["effort"]>;

const look: NonNullable<ModelRequest["tools"]> = [
  { type: "function", name: "look", description: "Looks.", inputSchema: { type: "object", properties: {} } },
];
const whole = (body: object): Uint8Array => new TextEncoder().encode(JSON.stringify(body));
const chatAnswer = whole({
  id: "c",
  model: "m",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "ok" } }],
});
const responsesAnswer = whole({
  id: "r",
  status: "completed",
  output: [
    { type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: "ok", annotations: [] }] },
  ],
});

/** The body that a model is sent, and the subjects of the warnings. */
async function sent(
  model: string,
  api: "chat" | "responses",
  compat: CompatName,
  request: Partial<ModelRequest>,
): Promise<{ body: Record<string, unknown> | undefined; warned: (string | undefined)[] }> {
  const bodies: unknown[] = [];
  const provider = replaying(model, { api, compat }, api === "chat" ? chatAnswer : responsesAnswer, {}, bodies);
  const answer = await provider.generate({ messages: [{ id: "1", role: "user", content: "Hi." }], ...request });
  return {
    body: bodies[0] as Record<string, unknown> | undefined,
    warned: answer.warnings.map(({ subject }) => subject),
  };
}

const reasoning = (effort: Effort): ReasoningConfig => ({ enabled: effort !== "none", effort });

describe("tools over Chat Completions [providers.openai-chat.tool-efforts]", () => {
  test.each(["gpt-5.6", "gpt-5.6-sol", "gpt-5.6-luna", "gpt-6-sol", "gpt-6.1-terra", "gpt-6-luna"])(
    "%s is sent effort none, with a warning if that changes something",
    async (model) => {
      for (const asked of [undefined, reasoning("high")]) {
        const { body, warned } = await sent(model, "chat", "openai", { tools: look, reasoning: asked });
        expect(body).toMatchObject({ reasoning_effort: "none", tools: [{ type: "function" }] });
        expect(warned).toEqual(["reasoning.effort"]);
      }
      const off = await sent(model, "chat", "openai", { tools: look, reasoning: reasoning("none") });
      expect([off.body?.["reasoning_effort"], off.warned]).toEqual(["none", []]);
      const without = await sent(model, "chat", "openai", { reasoning: reasoning("high") });
      expect([without.body?.["reasoning_effort"], without.warned]).toEqual(["high", []]);
      const responses = await sent(model, "responses", "openai", { tools: look, reasoning: reasoning("high") });
      expect([responses.body?.["reasoning"], responses.warned]).toEqual([{ effort: "high", summary: "auto" }, []]);
    },
  );

  test.each(["gpt-6-astra", "gpt-6.2-sol", "gpt-6.2-astra", "gpt-6.1-sol"])(
    "%s, which always reasons, is refused before the request, and the error names the Responses API",
    async (model) => {
      const refused = sent(model, "chat", "openai", { tools: look });
      await expect(refused).rejects.toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringContaining('api: "responses"') as string,
      });
      expect((await sent(model, "responses", "openai", { tools: look })).body).toHaveProperty("tools");
      expect((await sent(model, "chat", "openai", {})).body).not.toHaveProperty("reasoning_effort");
    },
  );

  test("earlier models take tools with any effort", async () => {
    const { body, warned } = await sent("gpt-5.5", "chat", "openai", { tools: look, reasoning: reasoning("high") });
    expect([body?.["reasoning_effort"], warned]).toEqual(["high", []]);
  });
});

/** Settings that recorded requests prove, or that two lists of models name: by server, model, wire and asked effort. */
const rows: readonly [CompatName, string, "chat" | "responses", Effort, object, (string | undefined)[]][] = [
  // openai-chat.mistral-0058
  ["mistral", "mistral-small-latest", "chat", "high", { reasoning_effort: "high" }, []],
  ["mistral", "mistral-medium-latest", "chat", "none", { reasoning_effort: "none" }, []],
  ["mistral", "mistral-large-latest", "chat", "low", { reasoning_effort: "low" }, []],
  ["mistral", "mistral-small-latest", "chat", "low", { reasoning_effort: "high" }, ["reasoning.effort"]],
  ["mistral", "codestral-latest", "chat", "high", {}, ["reasoning"]],
  // openai-chat.zai-0006, openai-chat.zai-0001
  [
    "zai",
    "glm-5.2",
    "chat",
    "high",
    { reasoning_effort: "high", thinking: { type: "enabled", clear_thinking: false } },
    [],
  ],
  ["zai", "glm-5.2", "chat", "none", { thinking: { type: "disabled" } }, []],
  ["zai", "glm-4.7", "chat", "high", { thinking: { type: "enabled", clear_thinking: false } }, ["reasoning.effort"]],
  // openai-chat.cerebras-0007
  ["cerebras", "zai-glm-4.7", "chat", "none", { reasoning_effort: "none" }, []],
  ["cerebras", "zai-glm-4.7", "chat", "high", {}, ["reasoning.effort"]],
  ["cerebras", "gpt-oss-120b", "chat", "high", { reasoning_effort: "high" }, []],
  ["cerebras", "llama-3.3-70b", "chat", "high", {}, ["reasoning"]],
  // openai-chat.groq-0057 and its neighbours
  ["groq", "qwen/qwen3-32b", "chat", "none", { reasoning_effort: "none" }, []],
  ["groq", "qwen/qwen3-32b", "chat", "high", {}, ["reasoning.effort"]],
  ["groq", "openai/gpt-oss-120b", "chat", "medium", { reasoning_effort: "medium" }, []],
  // openai-responses-0102
  ["deepseek", "deepseek-v4-flash", "responses", "high", { reasoning: { effort: "high" } }, []],
  ["deepseek", "deepseek-v4-flash", "chat", "high", { reasoning_effort: "high", thinking: { type: "enabled" } }, []],
  ["deepseek", "deepseek-v4-flash", "chat", "none", { thinking: { type: "disabled" } }, []],
  ["deepseek", "deepseek-reasoner", "chat", "high", { thinking: { type: "enabled" } }, ["reasoning.effort"]],
  ...(["together", "huggingface", "github", "lmstudio", "vllm", "sglang", "llamacpp"] as const).map(
    (server): (typeof rows)[number] => [server, "openai/gpt-oss-20b", "chat", "high", { reasoning_effort: "high" }, []],
  ),
  ["vllm", "openai/gpt-oss-20b", "chat", "none", { reasoning_effort: "low" }, ["reasoning.effort"]],
  ["vllm", "qwen3-8b", "chat", "high", { chat_template_kwargs: { enable_thinking: true } }, ["reasoning.effort"]],
];

const names = ["reasoning_effort", "reasoning", "thinking", "chat_template_kwargs"];

test.each(rows)(
  "%s with %s over %s and effort %s sends %j [providers.openai-chat.compat.efforts]",
  async (server, model, api, effort, fields, warnings) => {
    const options = { reasoning: reasoning(effort) };
    const { body = {}, warned } = await sent(model, api, server, options);
    expect(Object.fromEntries(names.filter((name) => name in body).map((name) => [name, body[name]]))).toEqual(fields);
    expect(warned).toEqual(warnings);
  },
);
