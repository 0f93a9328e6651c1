import { createAgentRuntime, memoryStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listSchedules, schedule } from "../index.ts";
import { checkOptions } from "../options.ts";
import { createTicker } from "./ticker.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const start = Date.UTC(2026, 0, 5);

beforeEach(() => vi.useFakeTimers({ now: start, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

/** An agent that keeps the metadata of its runs. */
function ground() {
  const store = memoryStore();
  const seen: unknown[] = [];
  const model = scriptedModel(() => "Done.");
  const agent = createAgentRuntime({
    name: "agent",
    model,
    store,
    logger: quiet,
    instructions: ({ metadata }) => {
      seen.push(metadata["value"]);
      return "Work.";
    },
  });
  const ticker = createTicker(checkOptions({ agents: [agent], store, logger: quiet }, "test"));
  const oneTick = async (): Promise<void> => {
    vi.setSystemTime(start + 60_001);
    await ticker.tick();
    for (const { id } of await store.listRuns({ state: "queued" })) await agent.resume(id);
  };
  return { store, agent, model, seen, oneTick };
}

class Money {
  amount = 5;
}

const kept: Readonly<Record<string, unknown>> = {
  "plain JSON": { a: [1, "b", null, { c: 0.5 }] },
  "a member named __proto__": JSON.parse('{"__proto__": {"x": 1}}'),
  "an object like a mark of the journal": { $bytes: "AA==" },
  "half a character": "\ud800",
  "negative zero": -0,
};
const lost: Readonly<Record<string, unknown>> = {
  "a date": new Date(0),
  "a map": new Map([["a", 1]]),
  "a set": new Set([1]),
  "a big integer": 5n,
  "not a number": Number.NaN,
  "undefined in a list": [1, undefined],
  "an instance of a class": new Money(),
  bytes: new Uint8Array([1, 2]),
  "an object with toJSON": { toJSON: () => ({ x: 1 }) },
  "a function": { call() {} },
  "a regular expression": /x/u,
  "an error": new Error("e"),
};

test.each(Object.entries(kept))("metadata of a schedule: %s reaches its runs [state.json]", async (_name, value) => {
  const { agent, seen, oneTick } = ground();
  await schedule({ id: "digest", agent, everyMs: 60_000, input: "Go.", metadata: { value } });
  await oneTick();
  expect(seen).toStrictEqual([value]);
});

test.each(Object.entries(lost))("metadata of a schedule: %s is refused [state.json]", async (_name, value) => {
  const { store, agent } = ground();
  const wrong = schedule({ id: "digest", agent, everyMs: 60_000, input: "Go.", metadata: { list: [{ value }] } });
  await expect(wrong).rejects.toMatchObject({ code: "INVALID_OPTION", message: expect.stringContaining("schedule()") });
  expect(await listSchedules(store)).toEqual([]);
});

test("the bytes in the input of a schedule reach the model as base64, like those of any run [state.json]", async () => {
  const { store, agent, model, oneTick } = ground();
  const input = [
    { type: "text", text: "Look." },
    { type: "image", data: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]), mimeType: "image/png" },
  ] as const;
  const asBase64 = Buffer.from(input[1].data).toString("base64");
  for (let times = 0; times < 2; times += 1) await schedule({ id: "look", agent, everyMs: 60_000, input });
  await oneTick();
  expect((await store.listRuns({})).map(({ state }) => state)).toEqual(["completed"]);
  expect(model.requests[0]?.messages.at(-1)).toMatchObject({ content: [{ type: "text" }, { data: asBase64 }] });
});

test.each([[7], [[{ type: "image" }]], [{ role: "assistant", content: "x" }]])(
  "an input that no run takes is refused when the schedule is made: %j [state.json]",
  async (input) => {
    const { store, agent } = ground();
    const wrong = schedule({ id: "wrong", agent, everyMs: 60_000, input: input as never });
    await expect(wrong).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(await listSchedules(store)).toEqual([]);
  },
);
