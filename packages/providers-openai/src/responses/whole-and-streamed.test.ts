import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { ModelError, type StreamChunk } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openai } from "../index.ts";
import { framed, replaying } from "../replay.fixture.ts";
import { look, user } from "./responses.fixture.ts";

type Item = Readonly<Record<string, unknown>>;

const words = fc.string({ maxLength: 12, unit: "grapheme" });
const encrypted = fc.stringMatching(/^[A-Za-z0-9+/]{8,20}$/);
/** Prefix of the vendor's ids. */
const prefixes = { reasoning: "rs", message: "msg", function_call: "fc", web_search_call: "ws" } as const;

const kinds = {
  reasoning: fc.record({
    type: fc.constant("reasoning" as const),
    summary: fc.array(fc.record({ type: fc.constant("summary_text"), text: words }), { maxLength: 3 }),
    encrypted_content: encrypted,
  }),
  message: fc.record({
    type: fc.constant("message" as const),
    role: fc.constant("assistant"),
    status: fc.constant("completed"),
    content: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant("output_text"), text: words, annotations: fc.constant([]) }),
        fc.record({ type: fc.constant("refusal"), refusal: words }),
      ),
      { minLength: 1, maxLength: 2 },
    ),
  }),
  call: fc.record({
    type: fc.constant("function_call" as const),
    status: fc.constant("completed"),
    name: fc.constantFrom("look", "unknown_tool"),
    arguments: fc.oneof(fc.json({ maxDepth: 1 }), words),
  }),
  search: fc.record({
    type: fc.constant("web_search_call" as const),
    status: fc.constant("completed"),
    action: fc.record({ type: fc.constant("search"), query: words }),
  }),
};

/** The items of an answer; reasoning is followed by its result, as with the vendor. */
const items = arbitraryItems(kinds.reasoning, kinds.message, kinds.call, kinds.search);
/** The same without reasoning: the strict server only knows its own. */
const plainItems = arbitraryItems(kinds.message, kinds.call, kinds.search);

type Kind = typeof kinds extends Record<string, infer Arbitrary> ? Arbitrary : never;

function arbitraryItems(...of: readonly Kind[]): fc.Arbitrary<readonly Item[]> {
  return fc.array(fc.oneof(...of), { minLength: 1, maxLength: 5 }).map((made): readonly Item[] => [
    ...made.map((item, index): Item => ({
      id: `${prefixes[item.type]}_${index}`,
      ...item,
      ...(item.type === "function_call" ? { call_id: `call_${index}` } : {}),
    })),
    {
      id: "msg_last",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Done.", annotations: [] }],
    },
  ]);
}

/** Fields that a gateway leaves out of the events. */
interface Gateway {
  readonly added: boolean;
  readonly deltas: boolean;
  readonly done: boolean;
  readonly output: boolean;
}
const gateways = fc
  .record({ added: fc.boolean(), deltas: fc.boolean(), done: fc.boolean(), output: fc.boolean() })
  .filter(({ done, output }) => done || output);

const pieces = (text: string): readonly string[] => text.match(/[\s\S]{1,3}/g) ?? [];

function deltasOf(item: Item, index: number): readonly object[] {
  const at = { output_index: index, item_id: item["id"] };
  const lists = item as { summary?: { text: string }[]; content?: { text?: string; refusal?: string }[] };
  const say = (type: string, text: string, more: object) =>
    pieces(text).map((delta) => ({ type, ...at, ...more, delta }));
  switch (item["type"]) {
    case "reasoning":
      return (lists.summary ?? []).flatMap(({ text }, summary) =>
        say("response.reasoning_summary_text.delta", text, { summary_index: summary }),
      );
    case "message":
      return (lists.content ?? []).flatMap(({ text, refusal }, content) =>
        text === undefined
          ? say("response.refusal.delta", refusal ?? "", { content_index: content })
          : say("response.output_text.delta", text, { content_index: content }),
      );
    case "function_call":
      return say("response.function_call_arguments.delta", String(item["arguments"]), {});
    default:
      return [];
  }
}

const begun: Readonly<Record<string, object>> = {
  reasoning: { summary: [] },
  message: { content: [], status: "in_progress" },
  function_call: { arguments: "", status: "in_progress" },
};

const whole = (output: readonly Item[]) => ({
  id: "resp_1",
  object: "response",
  status: "completed",
  output,
  usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 },
});

function eventsOf(output: readonly Item[], gateway: Gateway): readonly object[] {
  return [
    { type: "response.created", response: { ...whole([]), status: "in_progress", usage: null } },
    ...output.flatMap((item, index) => [
      ...(gateway.added
        ? [
            {
              type: "response.output_item.added",
              output_index: index,
              item: { ...item, ...begun[String(item["type"])] },
            },
          ]
        : []),
      // Without the item, a delta does not name its call.
      ...(gateway.deltas && (gateway.added || item["type"] !== "function_call") ? deltasOf(item, index) : []),
      ...(gateway.done ? [{ type: "response.output_item.done", output_index: index, item }] : []),
    ]),
    { type: "response.completed", response: whole(gateway.output ? output : []) },
  ];
}

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const said = (chunks: readonly StreamChunk[], type: "text" | "thinking"): string =>
  chunks.map((chunk) => (chunk.type === type ? chunk.text : "")).join("");

test("a streamed answer equals the complete one, for any events that a gateway leaves out [providers.openai-responses.whole-and-streamed]", async () => {
  await fc.assert(
    fc.asyncProperty(items, gateways, fc.nat(), async (output, gateway, place) => {
      const ask = { messages: [user("Hi")], tools: [look] };
      const one = await replaying("gpt-5.5", {}, bytes(whole(output))).generate(ask);
      const stream = framed(eventsOf(output, gateway));
      const splitAt = [place % stream.length];
      const { chunks, error } = await collectChunks(replaying("gpt-5.5", {}, stream, { splitAt }).stream(ask));
      expect(error).toBeUndefined();
      const response = finishedResponse(chunks);
      expect([response.message, response.usage]).toEqual([one.message, one.usage]);
      expect(said(chunks, "text")).toBe(
        one.message.content.map((part) => (part.type === "text" || part.type === "refusal" ? part.text : "")).join(""),
      );
      for (const { id, arguments: text } of one.message.toolCalls) {
        const of = chunks.flatMap((chunk) =>
          chunk.type === "tool_call_start" && chunk.toolCall.id === id
            ? ["start"]
            : chunk.type === "tool_call_delta" && chunk.toolCallId === id
              ? [chunk.argumentsDelta]
              : chunk.type === "tool_call_end" && chunk.toolCallId === id
                ? ["end"]
                : [],
        );
        expect([of[0], of.slice(1, -1).join(""), of.at(-1)]).toEqual(["start", text, "end"]);
      }
    }),
    { numRuns: 300 },
  );
});

test("events in any order, cut anywhere, throw only typed errors [providers.rule.unknown-events]", async () => {
  const noise = fc.oneof(
    fc.record({ type: fc.string() }),
    fc.constant({ type: "response.brand_new.event", output_index: 3, delta: "x" }),
    fc.record({ type: fc.constant("response.output_text.delta"), output_index: fc.nat(9), content_index: fc.nat(3) }),
    fc.constant({ type: "error", code: "server_error", message: "no", sequence_number: 3 }),
    fc.constant({ type: "response.output_item.added", output_index: 2, item: null }),
    fc.constant({ type: "response.output_item.done", item: { type: "function_call" } }),
    fc.constant({ type: "response.failed", response: { status: "failed", error: { code: "rate_limit_exceeded" } } }),
  );
  await fc.assert(
    fc.asyncProperty(
      items,
      gateways,
      fc.array(noise, { maxLength: 4 }),
      fc.nat(),
      async (output, gateway, odd, seed) => {
        const events = [...eventsOf(output, gateway)];
        for (const [index, event] of odd.entries()) events.splice((seed * (index + 7)) % events.length, 0, event);
        const cut = events.slice(0, 1 + (seed % events.length));
        const { chunks, error } = await collectChunks(
          replaying("gpt-5.5", {}, framed(cut)).stream({ messages: [user("Hi")], tools: [look] }),
        );
        if (error !== undefined) expect(error).toBeInstanceOf(ModelError);
        expect(chunks.some(({ type }) => type === "finish")).toBe(error === undefined);
      },
    ),
    { numRuns: 300 },
  );
});

test("any answer can be sent back in a form that the vendor accepts [providers.proof.round-trip]", async () => {
  await using server = await modelServer(() => "ok");
  const strict = openai("gpt-5.5", { apiKey: "test", baseURL: server.baseURL("openai") });
  await fc.assert(
    fc.asyncProperty(plainItems, async (output) => {
      const ask = { messages: [user("Hi")], tools: [look] };
      const { message } = await replaying("gpt-5.5", {}, bytes(whole(output))).generate(ask);
      const history = compileHistory([...ask.messages, message, user("So?")], historyTarget(strict));
      await strict.generate({ messages: history.messages, tools: [look] });
    }),
    { numRuns: 60 },
  );
});
