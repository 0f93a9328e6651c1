import type { RunStore } from "@bailiwick/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as Facade from "../../src/index.ts";
import type * as Memories from "@bailiwick/memory";
import type * as Testing from "@bailiwick/testing";
import { requestHost, type RequestHost } from "./request-host.test.helper.ts";

let host: RequestHost;
let facade: typeof Facade;
let testing: typeof Testing;
let memories: typeof Memories;

beforeEach(async () => {
  vi.resetModules();
  host = requestHost();
  [facade, testing, memories] = await Promise.all([
    import("../../src/index.ts"),
    import("@bailiwick/testing"),
    import("@bailiwick/memory"),
  ]);
});
afterEach(() => {
  vi.unstubAllGlobals();
  // Modules of this test keep the host's timers.
  vi.resetModules();
});

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

test("an agent with a store, keys, secrets, guards, tools and memory can be created at module load [seams.hosts.at-load]", async () => {
  const { Agent, env, memoryStore, piiGuard, tool } = facade;
  const agent = host.load(() => {
    const store = memoryStore();
    const guard = piiGuard({ action: "tokenize" });
    return new Agent({
      name: "helper",
      model: testing.scriptedModel(["Done."]),
      store,
      keys: { sign: "s".repeat(40), seal: "k".repeat(40) },
      secrets: env(),
      memory: memories.memory({ store: memories.inMemoryMemories() }),
      guardrails: { input: guard.input },
      tools: [
        tool({
          name: "t",
          description: "A tool.",
          inputSchema: { type: "object" },
          sideEffectClass: "pure",
          execute: () => "ok",
        }),
      ],
      logger: quiet,
    });
  });
  expect((await host.request(() => agent.run("Go."))).text).toBe("Done.");
});

test("one agent serves request after request on a host that drops the timers of a finished request [seams.hosts.requests-apart]", async () => {
  const agent = new facade.Agent({ name: "helper", model: testing.scriptedModel(() => "Done."), logger: quiet });
  for (let count = 0; count < 12; count += 1) {
    expect((await host.request(() => agent.run("Go."))).text).toBe("Done.");
  }
});

test("concurrent requests all end, in any order [seams.hosts.requests-apart]", async () => {
  const agent = new facade.Agent({ name: "helper", model: testing.scriptedModel(() => "Done."), logger: quiet });
  const outputs = await Promise.all(Array.from({ length: 40 }, () => host.request(() => agent.run("Go."))));
  expect(outputs.every(({ text }) => text === "Done.")).toBe(true);
});

test("a run's timeout fires after the request that set the earliest timer has ended [seams.hosts.requests-apart]", async () => {
  const never = new Promise(() => undefined);
  let first: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => (first = resolve));
  const model = testing.scriptedModel(() => "Done.");
  const agent = new facade.Agent({
    name: "helper",
    model: {
      ...model,
      generate: async (request) => {
        const text = JSON.stringify(request.messages);
        if (text.includes("Hang")) await never;
        await begun;
        return model.generate(request);
      },
    },
    logger: quiet,
  });
  // The first run ends within its time on a busy machine too.
  const early = host.request(() => agent.run("Go.", { timeouts: { totalMs: 6_000 } }));
  const late = host.request(() => agent.run("Hang.", { timeouts: { totalMs: 6_100 } }));
  first?.();
  expect((await early).text).toBe("Done.");
  expect((await late).stopReason).toBe("timed_out");
});

test("a run's lease is renewed after the previous run's request has ended [seams.hosts.requests-apart]", async () => {
  let renewed: (() => void) | undefined;
  const ofSecond = new Promise<void>((resolve) => (renewed = resolve));
  const memory = facade.memoryStore();
  const second = "the-second";
  const store: RunStore = {
    ...memory,
    renew: async (leases, ttlMs) => {
      if (leases.some(({ runId }) => runId === second)) renewed?.();
      return memory.renew(leases, ttlMs);
    },
  };
  let isBegun: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => (isBegun = resolve));
  const model = testing.scriptedModel(() => "Done.");
  const agent = new facade.Agent({
    name: "helper",
    model: {
      ...model,
      generate: async (request) => {
        const isSecond = JSON.stringify(request.messages).includes("Second");
        if (isSecond) isBegun?.();
        await (isSecond ? ofSecond : begun);
        return model.generate(request);
      },
    },
    store,
    leaseMs: 1_000,
    logger: quiet,
  });
  const early = host.request(() => agent.run("First."));
  const late = host.request(() => agent.run("Second.", { ids: { next: () => second } }));
  expect((await early).text).toBe("Done.");
  expect((await late).text).toBe("Done.");
});
