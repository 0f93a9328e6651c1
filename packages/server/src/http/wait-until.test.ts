import { createAgentRuntime, memoryStore, tool, type ModelProvider } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { afterEach, expect, test, vi } from "vitest";
import { runRoutes } from "./run-routes.ts";
import type { RunRoutesOptions } from "./run-routes-options.ts";

afterEach(() => vi.unstubAllGlobals());

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const send = tool({
  name: "send",
  description: "Sends a letter.",
  inputSchema: { type: "object" },
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  needsApproval: true,
  execute: () => "sent",
});

/** Routes over an agent that asks before it sends, and the promises passed to the host's `waitUntil`. */
function routes(more: Partial<RunRoutesOptions> = {}) {
  const waited: Promise<unknown>[] = [];
  const store = memoryStore();
  const model: ModelProvider = scriptedModel([{ toolCalls: [{ name: "send", arguments: {} }] }, "Sent."]);
  const agent = createAgentRuntime({ name: "clerk", model, tools: [send], store, logger: quiet });
  const app = runRoutes({ agent, store, ...more });
  const host = { waitUntil: (work: Promise<unknown>): void => void waited.push(work) };
  const post = (path: string, body: unknown, ...rest: readonly unknown[]): Response | Promise<Response> =>
    app.fetch(
      new Request(`http://localhost${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
      ...(rest as []),
    );
  const start = (...rest: readonly unknown[]): Response | Promise<Response> =>
    post(
      "/chat",
      { id: "s1", messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Send it." }] }] },
      ...rest,
    );
  const state = async (): Promise<string | undefined> => (await store.listRuns({}))[0]?.state;
  return { waited, host, post, start, state, store, agent };
}

test("the host waits for a run whose client disconnected, and for the work that a decision starts [server.wait-until]", async () => {
  const { waited, host, start, post, state, store, agent } = routes();
  const response = await start({}, { ...host, passThroughOnException: () => undefined });
  await response.body?.cancel();
  expect(waited).toHaveLength(1);
  await waited[0];
  expect(await state()).toBe("suspended");
  const [run] = await store.listRuns({});
  const [question] = await agent.interruptions(run?.id ?? "");
  const decided = await post(
    `/runs/${run?.id}/decisions`,
    { decisions: [{ id: question?.id, type: "approve" }] },
    {},
    host,
  );
  expect(decided.ok).toBe(true);
  expect(waited).toHaveLength(2);
  await waited[1];
  expect(await state()).toBe("completed");
});

test("a given waitUntil has precedence over the host's [server.wait-until]", async () => {
  const own: Promise<unknown>[] = [];
  const { waited, host, start } = routes({ waitUntil: (work) => void own.push(work) });
  await (await start({}, host)).body?.cancel();
  await Promise.all(own);
  expect([own.length, waited.length]).toEqual([1, 0]);
});

test.each([
  ["Vercel", Symbol.for("@vercel/request-context"), (host: object) => ({ get: () => host })],
  ["Netlify", "Netlify", (host: object) => ({ context: host })],
  ["Supabase", "EdgeRuntime", (host: object) => host],
])("the waitUntil of %s is found without an option [server.wait-until.hosts]", async (_, name, made) => {
  const { waited, host, start, state } = routes();
  const globals = globalThis as Record<string | symbol, unknown>;
  globals[name] = made(host);
  try {
    await (await start()).body?.cancel();
    await Promise.all(waited);
    expect(waited).toHaveLength(1);
    expect(await state()).toBe("suspended");
  } finally {
    delete globals[name];
  }
});

test("a host without waitUntil, or one that refuses, still drives the run [server.wait-until]", async () => {
  const errors: unknown[] = [];
  const refuses = (): never => {
    throw new Error("the response is sent");
  };
  for (const waitUntil of [undefined, refuses]) {
    const { start, state } = routes({ waitUntil, onError: (error) => errors.push(error) });
    await (await start()).text();
    expect(await state()).toBe("suspended");
  }
  expect(errors).toEqual([expect.objectContaining({ message: "the response is sent" })]);
});
