import { afterEach, expect, test, vi } from "vitest";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import type { Ids } from "../../contracts/ports/ids.ts";
import { randomIds } from "../../journal/default-ports.ts";
import { createAgentRuntime } from "../agent-runtime.ts";
import type { loopShare } from "./loop-share.ts";

/** More than any share. */
function holdTheLoop(): void {
  const from = performance.now();
  while (performance.now() - from < 5);
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A copy in which no run of another test waits. */
async function ownShare(): Promise<typeof loopShare> {
  vi.resetModules();
  return (await import("./loop-share.ts")).loopShare;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("the first caller in a turn of the event loop continues at once, and a caller beyond the share waits", async () => {
  const share = await ownShare();
  await nextTurn();
  expect(share("continue")).toBeUndefined();
  holdTheLoop();
  const later = share("continue");
  expect(later).toBeInstanceOf(Promise);
  await later;
});

test("runs in progress and new runs both proceed, each group in order", async () => {
  const share = await ownShare();
  await nextTurn();
  void share("continue");
  holdTheLoop();
  const order: string[] = [];
  const asked = (name: string, what: "begin" | "continue"): Promise<unknown> =>
    Promise.resolve(share(what)).then(() => order.push(name));
  await Promise.all([
    ...["b0", "b1", "b2"].map((name) => asked(name, "begin")),
    ...Array.from({ length: 12 }, (_, index) => asked(`g${index}`, "continue")),
  ]);
  expect(order.filter((name) => name.startsWith("b"))).toEqual(["b0", "b1", "b2"]);
  expect(order.filter((name) => name.startsWith("g"))).toEqual(Array.from({ length: 12 }, (_, index) => `g${index}`));
  expect(order.slice(0, 2)).toEqual(["g0", "g1"]);
  expect(order.indexOf("b0")).toBeLessThan(order.indexOf("g11"));
});

test("without setImmediate, runs yield to other tasks too", async () => {
  vi.stubGlobal("setImmediate", undefined);
  const share = await ownShare();
  void share("continue");
  holdTheLoop();
  const later = [share("begin"), share("continue")];
  expect(later.every((one) => one instanceof Promise)).toBe(true);
  for (const one of later) await one;
});

test("at most four callers continue in one event-loop turn without waiting", async () => {
  const share = await ownShare();
  await nextTurn();
  const asked = Array.from({ length: 6 }, () => share("continue"));
  expect(asked.slice(4).every((one) => one instanceof Promise)).toBe(true);
  for (const one of asked) await one;
});

const answersAtOnce: ModelProvider = {
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
  generate: async () => ({
    message: {
      role: "assistant",
      id: "m1",
      content: [{ type: "text", text: "Done." }],
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

test("several busy runs started together do not block the event loop", async () => {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const agent = createAgentRuntime({ name: "helper", model: answersAtOnce, logger: quiet });
  // Called before a run begins, and while it runs.
  const ids = {
    next(kind: Parameters<Ids["next"]>[0]): string {
      holdTheLoop();
      return randomIds.next(kind);
    },
  };
  let turns = 0;
  let over = false;
  const count = (): void => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  const outputs = await Promise.all(Array.from({ length: 20 }, () => agent.run("Go.", { ids })));
  over = true;
  expect(outputs.every(({ stopReason }) => stopReason === "completed")).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(19);
});
