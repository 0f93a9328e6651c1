import type { Message, ModelRequest } from "@bailiwick/core";
import { collectChunks } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { asked, blocksOf, foreign, look, result, user, type Sent } from "./ask.fixture.ts";
import { anthropicOptions, cacheHere } from "./index.ts";
import { framed, replaying } from "./replay.fixture.ts";

const system: Message = { id: "s", role: "system", content: "Be brief." };
const tools = Array.from({ length: 12 }, (_, index) => ({ ...look, name: `look_${index}` }));
const turn = (index: number): Message[] => [
  { ...foreign([{ type: "tool_call", toolCallId: `c${index}` }], [`c${index}`]), id: `a${index}` },
  result(`c${index}`, `found ${index}`),
];
const turns = (count: number): Message[] => Array.from({ length: count }, (_, index) => turn(index)).flat();

/** Cache marks of a body: tools, system, and blocks of turns, with the lifetime. */
function marks(body: Sent | undefined): readonly string[] {
  const lists = { tools: body?.["tools"], system: body?.["system"], block: blocksOf(body) };
  return Object.entries(lists).flatMap(([name, list]) =>
    ((list ?? []) as readonly Sent[]).flatMap((block, index) => {
      const control = block["cache_control"] as { ttl?: string } | undefined;
      return control === undefined ? [] : [`${name} ${index} ${control.ttl ?? "5m"}`];
    }),
  );
}

const unmarked = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner));

test("the last tool, the instructions, the last user turn and the one before are marked for caching [providers.anthropic.cache-control] [providers.rule.caching]", async () => {
  const { bodies } = await asked([
    { messages: [system, user("Hi")], tools },
    { messages: [system, user("Hi"), ...turns(2)], tools },
    { messages: [system, user("Hi")], tools, caching: false },
    { messages: [user("Hi")], providerOptions: anthropicOptions({ cacheTtl: "1h" }) },
  ]);
  expect(bodies.map(marks)).toEqual([
    ["tools 11 5m", "system 0 5m", "block 0 5m"],
    ["tools 11 5m", "system 0 5m", "block 2 5m", "block 4 5m"],
    [],
    ["block 0 1h"],
  ]);
});

test("the common prefix of parallel agents is cached for an hour, and their first message with it [providers.rule.caching.shared-prefix]", async () => {
  const { bodies } = await asked([
    { messages: [system, user("The case."), ...turns(2)], tools, caching: "shared" },
    { messages: [system, user("The case.")], tools, caching: "shared" },
  ]);
  expect(bodies.map(marks)).toEqual([
    ["tools 11 1h", "system 0 1h", "block 0 1h", "block 4 5m"],
    ["tools 11 1h", "system 0 1h", "block 0 5m"],
  ]);
});

test("at most four cache marks are set, the caller's mark on a result is kept, the last advances, and the prefix is byte-equal [field-bug:PB-provider-anthropic-04]", async () => {
  const history = turns(8).map((message, index): Message =>
    message.role === "tool" && index === 5
      ? { ...message, content: [cacheHere({ type: "text", text: "a long manual" }, "1h")] }
      : message,
  );
  const requests = [6, 10, 16].map((end): Partial<ModelRequest> => ({
    messages: [system, user("Hi"), ...history.slice(0, end)],
    tools,
  }));
  const { bodies } = await asked(requests);
  expect(bodies.map(marks)).toEqual([
    ["tools 11 1h", "system 0 1h", "block 4 1h", "block 6 1h"],
    ["tools 11 1h", "system 0 1h", "block 6 1h", "block 10 5m"],
    ["tools 11 1h", "system 0 1h", "block 6 1h", "block 16 5m"],
  ]);
  for (const [index, body] of bodies.entries()) {
    const before = bodies[index - 1];
    if (before === undefined) continue;
    const [shorter, longer] = [unmarked(before["messages"]), unmarked(body["messages"])];
    expect(longer.startsWith(shorter.slice(0, -1))).toBe(true);
    expect([unmarked(body["tools"]), unmarked(body["system"])]).toEqual([
      unmarked(before["tools"]),
      unmarked(before["system"]),
    ]);
  }
});

test("the conversation's mark moves with the last message of each request [field-bug:PB-provider-anthropic-05]", async () => {
  const requests = Array.from({ length: 16 }, (_, count) => ({ messages: [user("Hi"), ...turns(count)], tools }));
  const { bodies } = await asked(requests);
  for (const [count, body] of bodies.entries()) expect(marks(body).at(-1)).toBe(`block ${count * 2} 5m`);
});

test("more than four cache marks of the caller keep the latest, and a later one-hour mark extends the earlier ones [providers.anthropic.cache-control]", async () => {
  const parts = ["1", "2", "3", "4", "5"].map((text) =>
    cacheHere({ type: "text", text } as const, text === "4" ? "1h" : "5m"),
  );
  const { bodies } = await asked([
    { messages: [system, user([...parts, { type: "text", text: "Now." }])], tools },
    { messages: [system, user(parts)], tools, caching: false },
  ]);
  expect(bodies.map(marks)).toEqual([["block 2 1h", "block 3 1h", "block 4 5m", "block 5 5m"], []]);
});

test("thinking never gets a cache mark [providers.anthropic.cache-control]", async () => {
  const answer: Message = {
    ...(foreign([]) as Extract<Message, { role: "assistant" }>),
    content: [
      { type: "reasoning", text: "Hm.", providerState: { signature: "signed" } },
      { type: "text", text: "So" },
    ],
    provenance: { provider: "anthropic", api: "messages", model: "claude-sonnet-4-5" },
  };
  const sent: Sent[] = [];
  const messages = Array.from({ length: 6 }, () => [user("Hi"), answer]).flat();
  await collectChunks(replaying("claude-sonnet-4-5", {}, framed([]), {}, sent).stream({ messages, caching: "shared" }));
  const thinking = blocksOf(sent[0]).filter(({ type }) => type === "thinking");
  expect(thinking).toEqual(
    Array.from({ length: 6 }, () => ({ type: "thinking", thinking: "Hm.", signature: "signed" })),
  );
  expect(marks(sent[0])).toHaveLength(2);
});
