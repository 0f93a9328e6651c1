import { collectChunks, finishedResponse } from "@bailiwick/testing";
import type { ModelResponse, TokenUsage } from "@bailiwick/core/provider";
import { describe, expect, test } from "vitest";
import type { OpenAIOptions } from "./index.ts";
import { framed, replaying } from "./replay.fixture.ts";

const request = () => ({ messages: [{ id: "1", role: "user" as const, content: "Hi." }] });
const bytes = (body: object): Uint8Array => new TextEncoder().encode(JSON.stringify(body));
const kinds = ["serviceTier", "hostedCalls", "reportedUsd"] as const;

/** Asks for an answer whole and streamed. */
async function answersOf(
  options: OpenAIOptions,
  body: object,
  events: readonly (object | string)[],
): Promise<ModelResponse[]> {
  return [
    await replaying("gpt-5.4", options, bytes(body)).generate(request()),
    finishedResponse((await collectChunks(replaying("gpt-5.4", options, framed(events)).stream(request()))).chunks),
  ];
}

function check(answers: readonly ModelResponse[], billed: Partial<TokenUsage>): void {
  for (const { usage } of answers) {
    expect(usage).toMatchObject(billed);
    for (const kind of kinds) if (!(kind in billed)) expect(usage[kind]).toBeUndefined();
  }
}

describe("Responses [providers.rule.usage.billed]", () => {
  const message = {
    type: "message",
    id: "m",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "ok", annotations: [] }],
  };
  const search = (action: object) => ({ type: "web_search_call", id: "w", status: "completed", action });
  const preview = { tools: [{ type: "web_search_preview" }] };

  test.each<[string, object, readonly object[], Partial<TokenUsage>]>([
    ["the default tier", { service_tier: "default" }, [], {}],
    ["the empty tier of a server", { service_tier: "" }, [], {}],
    ["flex", { service_tier: "flex" }, [], { serviceTier: "flex" }],
    ["priority", { service_tier: "priority" }, [], { serviceTier: "priority" }],
    [
      "searches without reading",
      {},
      [
        search({ type: "search", query: "q" }),
        search({ type: "open_page", url: "https://a.example" }),
        search({ type: "search", query: "r" }),
      ],
      { hostedCalls: { web_search: 2 } },
    ],
    [
      "searches of the preview",
      preview,
      [search({ type: "search", query: "q" })],
      { hostedCalls: { web_search_preview: 1 } },
    ],
    [
      "file searches",
      {},
      [{ type: "file_search_call", id: "f", status: "completed", queries: ["q"], results: [] }],
      { hostedCalls: { file_search: 1 } },
    ],
    [
      "containers of code",
      {},
      ["c1", "c1", "c2"].map((container, index) => ({
        type: "code_interpreter_call",
        id: `k${index}`,
        status: "completed",
        container_id: container,
        code: "1",
        outputs: [],
      })),
      { hostedCalls: { code_interpreter: 2 } },
    ],
  ])("%s", async (_what, more, items, billed) => {
    const output = [...items, message];
    const body = {
      id: "r",
      object: "response",
      status: "completed",
      model: "gpt-5.4",
      output,
      usage: { input_tokens: 1, output_tokens: 2 },
      ...more,
    };
    const events = [
      { type: "response.created", response: { ...body, status: "in_progress", output: [] } },
      ...output.flatMap((item, index) => [
        { type: "response.output_item.added", output_index: index, item },
        { type: "response.output_item.done", output_index: index, item },
      ]),
      { type: "response.completed", response: body },
    ];
    check(await answersOf({ api: "responses" }, body, events), billed);
  });
});

describe("Chat Completions [providers.rule.usage.billed]", () => {
  test.each<[string, object, object, Partial<TokenUsage>]>([
    ["the default tier", { service_tier: "default" }, {}, {}],
    ["the tier of Groq", { service_tier: "on_demand" }, {}, {}],
    ["flex", { service_tier: "flex" }, {}, { serviceTier: "flex" }],
    [
      "the bill of a gateway",
      {},
      { cost: 0.5, cost_details: { upstream_inference_cost: 0.5 }, is_byok: false },
      { reportedUsd: 0.5 },
    ],
    [
      "an answer for nothing",
      {},
      { cost: 0, cost_details: { upstream_inference_cost: null }, is_byok: false },
      { reportedUsd: 0 },
    ],
    [
      "the fee and the vendor's bill with an own key",
      {},
      { cost: 0.01, cost_details: { upstream_inference_cost: 0.5 }, is_byok: true },
      { reportedUsd: 0.51 },
    ],
    ["the zero of a server that reports no costs", {}, { cost: 0 }, {}],
    ["a negative cost", {}, { cost: -1, cost_details: {} }, {}],
    [
      "searches of a gateway",
      {},
      { server_tool_use_details: { web_search_requests: 2 } },
      { hostedCalls: { web_search: 2 } },
    ],
  ])("%s", async (_what, more, usage, billed) => {
    const counted = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, ...usage };
    const head = { id: "c", model: "gpt-5.4", ...more };
    const body = {
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "ok" } }],
      usage: counted,
    };
    const events = [
      { ...head, choices: [{ index: 0, delta: { role: "assistant", content: "ok" } }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      { ...head, choices: [], usage: counted },
      "[DONE]",
    ];
    check(await answersOf({ api: "chat" }, body, events), billed);
  });
});
