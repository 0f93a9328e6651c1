import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { expect, test } from "vitest";
import type { TokenUsage } from "@bailiwick/core/provider";
import { framed, replaying } from "./replay.fixture.ts";

type Block = Readonly<Record<string, unknown>>;
const text = { type: "text", text: "ok" };
const code = (name: string): Block[] => [
  { type: "server_tool_use", id: "s1", name, input: {} },
  {
    type: `${name}_tool_result`,
    tool_use_id: "s1",
    content: { type: `${name}_result`, stdout: "", stderr: "", return_code: 0, content: [] },
  },
];

const rows: readonly [what: string, usage: object, content: readonly Block[], billed: Partial<TokenUsage>][] = [
  [
    "cache writes by lifetime",
    {
      input_tokens: 1,
      output_tokens: 2,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
    },
    [text],
    { inputTokens: 31, cacheWriteTokens: 30, longCacheWriteTokens: 20 },
  ],
  [
    "the standard tier",
    { input_tokens: 1, output_tokens: 2, service_tier: "standard", speed: "standard", inference_geo: "global" },
    [text],
    {},
  ],
  ["an empty tier", { input_tokens: 1, output_tokens: 2, service_tier: "", speed: "", inference_geo: "" }, [text], {}],
  ["priority", { input_tokens: 1, output_tokens: 2, service_tier: "priority" }, [text], { serviceTier: "priority" }],
  [
    "fast mode",
    { input_tokens: 1, output_tokens: 2, service_tier: "standard", speed: "fast" },
    [text],
    { serviceTier: "fast" },
  ],
  ["a region", { input_tokens: 1, output_tokens: 2, inference_geo: "us" }, [text], { region: "us" }],
  [
    "searches",
    { input_tokens: 1, output_tokens: 2, server_tool_use: { web_search_requests: 3, web_fetch_requests: 2 } },
    [text],
    { hostedCalls: { web_search: 3 } },
  ],
  ["no searches", { input_tokens: 1, output_tokens: 2, server_tool_use: { web_search_requests: 0 } }, [text], {}],
  [
    "runs of code",
    { input_tokens: 1, output_tokens: 2 },
    [...code("bash_code_execution"), text],
    { hostedCalls: { code_execution: 1 } },
  ],
  [
    "an adviser of another model",
    {
      input_tokens: 3,
      output_tokens: 4,
      iterations: [
        { type: "message", input_tokens: 1, output_tokens: 2 },
        { type: "advisor_message", model: "claude-opus-4-8", input_tokens: 2, output_tokens: 2 },
      ],
    },
    [text],
    {
      vendorRequests: 2,
      requests: [
        { inputTokens: 1, outputTokens: 2 },
        { model: "claude-opus-4-8", inputTokens: 2, outputTokens: 2 },
      ],
    },
  ],
];

const kinds = ["serviceTier", "region", "hostedCalls", "longCacheWriteTokens", "requests"] as const;

test.each(rows)(
  "%s is read from a whole and from a streamed answer [providers.rule.usage.billed]",
  async (_what, usage, content, billed) => {
    const body = {
      id: "m",
      type: "message",
      role: "assistant",
      model: "claude-opus-5",
      content,
      stop_reason: "end_turn",
      usage,
    };
    const whole = replaying("claude-opus-5", {}, new TextEncoder().encode(JSON.stringify(body)));
    const events = [
      {
        type: "message_start",
        message: { ...body, content: [], stop_reason: null, usage: { input_tokens: 0, output_tokens: 0 } },
      },
      ...content.flatMap((block, index) => [
        { type: "content_block_start", index, content_block: block },
        { type: "content_block_stop", index },
      ]),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
      { type: "message_stop" },
    ];
    const request = { messages: [{ id: "1", role: "user", content: "Hi." }] } as const;
    const answers = [
      await whole.generate({ messages: [...request.messages] }),
      finishedResponse(
        (
          await collectChunks(
            replaying("claude-opus-5", {}, framed(events)).stream({ messages: [...request.messages] }),
          )
        ).chunks,
      ),
    ];
    for (const answer of answers) {
      expect(answer.usage).toMatchObject(billed);
      for (const kind of kinds) if (!(kind in billed)) expect(answer.usage[kind]).toBeUndefined();
    }
  },
);
