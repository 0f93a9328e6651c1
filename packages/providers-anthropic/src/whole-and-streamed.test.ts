import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { ModelError } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { look, result, user } from "./ask.fixture.ts";
import { webSearch } from "./hosted-tools.ts";
import { anthropic } from "./index.ts";
import { framed, replaying } from "./replay.fixture.ts";

type Block = Readonly<Record<string, unknown>>;

const words = fc.string({ maxLength: 12, unit: "grapheme" });
const opaque = fc.stringMatching(/^[A-Za-z0-9+/]{8,20}$/);
const citation = fc.record({
  type: fc.constant("web_search_result_location"),
  url: fc.webUrl(),
  title: words,
  cited_text: words,
  encrypted_index: opaque,
});
const text = fc.record({
  type: fc.constant("text"),
  text: words,
  citations: fc.oneof(fc.constant(null), fc.array(citation, { minLength: 1, maxLength: 2 })),
});
const call = fc.record({
  type: fc.constant("tool_use"),
  name: fc.constantFrom("look", "unknown_tool"),
  input: fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
});
const thinking = fc.oneof(
  fc.record({ type: fc.constant("thinking"), thinking: words, signature: opaque }),
  fc.record({ type: fc.constant("redacted_thinking"), data: opaque }),
);
const searched = fc.record({ query: words, title: words, failed: fc.boolean() });

/** The blocks of an answer: a search is a pair, thinking leads to something. */
const contents = fc
  .array(
    fc.oneof(
      text.map((block) => [block]),
      call.map((block) => [block]),
      thinking.map((block) => [block]),
      searched.map(({ query, title, failed }) => [
        { type: "server_tool_use", name: "web_search", input: { query } },
        {
          type: "web_search_tool_result",
          content: failed
            ? { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" }
            : [
                {
                  type: "web_search_result",
                  url: "https://example.com",
                  title,
                  encrypted_content: "RW5j",
                  page_age: null,
                },
              ],
        },
      ]),
    ),
    { maxLength: 5 },
  )
  .map((groups): readonly Block[] => {
    const blocks = groups.flatMap((group, at) =>
      group.map((block): Block => {
        if (block.type === "tool_use") return { id: `toolu_${at}`, ...block };
        if (block.type === "server_tool_use") return { id: `srvtoolu_${at}`, ...block };
        return block.type === "web_search_tool_result" ? { tool_use_id: `srvtoolu_${at}`, ...block } : block;
      }),
    );
    return [...blocks, { type: "text", text: "Done.", citations: null }];
  });

/** Differences between servers. */
const manners = fc.record({
  wholeInput: fc.boolean(),
  emptyDeltas: fc.boolean(),
  pings: fc.boolean(),
  textInStart: fc.boolean(),
  citationsInStart: fc.boolean(),
  stops: fc.boolean(),
  stopReason: fc.constantFrom("end_turn", "tool_use", "max_tokens", "stop_sequence", "model_context_window_exceeded"),
});
type Manner = typeof manners extends fc.Arbitrary<infer Value> ? Value : never;

const pieces = (said: string): readonly string[] => said.match(/[\s\S]{1,3}/g) ?? [];
const usage = { input_tokens: 9, cache_read_input_tokens: 3, cache_creation_input_tokens: null, output_tokens: 7 };

function whole(content: readonly Block[], { stopReason }: Manner): object {
  return { id: "msg_1", type: "message", role: "assistant", content, stop_reason: stopReason, usage };
}

function blockEvents(block: Block, index: number, manner: Manner): readonly object[] {
  const start = (begun: object) => ({ type: "content_block_start", index, content_block: { ...block, ...begun } });
  const delta = (fields: object) => ({ type: "content_block_delta", index, delta: fields });
  const said = (type: string, field: string, value: string) =>
    [...(manner.emptyDeltas ? [""] : []), ...pieces(value)].map((piece) => delta({ type, [field]: piece }));
  const stop = { type: "content_block_stop", index };
  switch (block["type"]) {
    case "text": {
      const cites = (block["citations"] as readonly object[] | null) ?? [];
      const citations = manner.citationsInStart ? cites : [];
      const cited = manner.citationsInStart
        ? []
        : cites.map((each) => delta({ type: "citations_delta", citation: each }));
      return manner.textInStart
        ? [start({ citations }), ...cited, stop]
        : [start({ text: "", citations }), ...cited, ...said("text_delta", "text", String(block["text"])), stop];
    }
    case "thinking":
      return [
        start({ thinking: "", signature: "" }),
        ...said("thinking_delta", "thinking", String(block["thinking"])),
        delta({ type: "signature_delta", signature: block["signature"] }),
        stop,
      ];
    case "tool_use":
    case "server_tool_use":
      return manner.wholeInput
        ? [start({}), ...(manner.emptyDeltas ? [delta({ type: "input_json_delta", partial_json: "" })] : []), stop]
        : [start({ input: {} }), ...said("input_json_delta", "partial_json", JSON.stringify(block["input"])), stop];
    default:
      return [start({}), stop];
  }
}

function eventsOf(content: readonly Block[], manner: Manner): readonly object[] {
  const ping = manner.pings ? [{ type: "ping" }] : [];
  return [
    {
      type: "message_start",
      message: { id: "msg_1", type: "message", role: "assistant", content: [], usage: { ...usage, output_tokens: 1 } },
    },
    ...content.flatMap((block, index) => [...ping, ...blockEvents(block, index, manner)]),
    {
      type: "message_delta",
      delta: { stop_reason: manner.stopReason, stop_sequence: null },
      usage: { output_tokens: 7 },
    },
    ...(manner.stops ? [{ type: "message_stop" }] : []),
  ];
}

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const ask = { messages: [user("Hi")], tools: [look, webSearch()] };

test("a streamed answer equals the complete one, for every way in which servers stream it [providers.anthropic.whole-and-streamed]", async () => {
  await fc.assert(
    fc.asyncProperty(contents, manners, fc.nat(), async (content, manner, place) => {
      const one = await replaying("claude-opus-5", {}, bytes(whole(content, manner))).generate(ask);
      const stream = framed(eventsOf(content, manner));
      const splitAt = [place % stream.length];
      const { chunks, error } = await collectChunks(replaying("claude-opus-5", {}, stream, { splitAt }).stream(ask));
      expect(error).toBeUndefined();
      const streamed = finishedResponse(chunks);
      expect(streamed.message.content).toEqual(one.message.content);
      expect(streamed.message.toolCalls).toEqual(one.message.toolCalls);
      expect([streamed.finishReason, streamed.usage.totalTokens]).toEqual([one.finishReason, one.usage.totalTokens]);
      const of = (type: "text" | "reasoning") =>
        one.message.content.map((part) => (part.type === type ? part.text : "")).join("");
      const told = (type: "text" | "thinking") =>
        chunks.map((chunk) => (chunk.type === type ? chunk.text : "")).join("");
      expect([told("text"), told("thinking")]).toEqual([of("text"), of("reasoning")]);
      const cited = content.flatMap((block) => (block["citations"] as readonly Block[] | null | undefined) ?? []);
      const sources = chunks.flatMap((chunk) => (chunk.type === "source" ? [chunk.source.url] : []));
      expect(sources).toEqual(expect.arrayContaining(cited.map(({ url }) => url)));
      for (const { id, arguments: written } of one.message.toolCalls) {
        const deltas = chunks.map((chunk) =>
          chunk.type === "tool_call_delta" && chunk.toolCallId === id ? chunk.argumentsDelta : "",
        );
        expect(deltas.join("")).toBe(written);
      }
    }),
    { numRuns: 300 },
  );
});

test("events in any order, cut anywhere, throw only typed errors [providers.rule.unknown-events]", async () => {
  const noise = fc.oneof(
    fc.record({ type: fc.string() }),
    fc.constant({ type: "content_block_delta", index: 7, delta: null }),
    fc.constant({ type: "content_block_delta", index: 1, delta: { type: "compaction_delta", content: 5 } }),
    fc.constant({ type: "content_block_start", index: 0, content_block: null }),
    fc.constant({ type: "content_block_start", content_block: { type: "brand_new", data: [1] } }),
    fc.constant({ type: "message_delta", delta: null, usage: { output_tokens: "many" } }),
    fc.constant({ type: "message_start", message: null }),
    fc.constant({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
    fc.constant({ type: "error", error: null }),
  );
  await fc.assert(
    fc.asyncProperty(
      contents,
      manners,
      fc.array(noise, { maxLength: 4 }),
      fc.nat(),
      async (content, manner, odd, seed) => {
        const events = [...eventsOf(content, manner)];
        for (const [index, event] of odd.entries()) events.splice((seed * (index + 7)) % events.length, 0, event);
        const cut = events.slice(0, 1 + (seed % events.length));
        const { chunks, error } = await collectChunks(replaying("claude-opus-5", {}, framed(cut)).stream(ask));
        if (error !== undefined) expect(error).toBeInstanceOf(ModelError);
        expect(chunks.some(({ type }) => type === "finish")).toBe(error === undefined);
      },
    ),
    { numRuns: 300 },
  );
});

test("any answer can be sent back in a form that the vendor accepts [providers.proof.round-trip]", async () => {
  await using server = await modelServer(() => "ok");
  const strict = anthropic("claude-opus-5", { apiKey: "test", baseURL: server.baseURL("anthropic") });
  // The strict server only knows its own signatures.
  const unsigned = contents.map((content) => content.filter(({ type }) => !String(type).includes("thinking")));
  await fc.assert(
    fc.asyncProperty(unsigned, manners, async (content, manner) => {
      const { message } = await replaying("claude-opus-5", {}, bytes(whole(content, manner))).generate(ask);
      const results = message.toolCalls.map(({ id }) => result(id, "seen"));
      const history = compileHistory([...ask.messages, message, ...results, user("So?")], historyTarget(strict));
      await strict.generate({ messages: history.messages, tools: ask.tools });
    }),
    { numRuns: 60 },
  );
});
