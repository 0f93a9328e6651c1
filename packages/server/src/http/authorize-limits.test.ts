import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgentRuntime, memoryStore } from "@bailiwick/core";
import { getRequestListener } from "@hono/node-server";
import { scriptedModel } from "@bailiwick/testing";
import { afterEach, expect, test, vi } from "vitest";
import { openaiRoutes } from "../openai/openai-routes.ts";
import { runRoutes } from "./run-routes.ts";
import type { RunRoutesOptions } from "./run-routes-options.ts";

afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => undefined);

/** Routes whose `authorize`, `toRunInput` or rule of `share` never settles, and a request that waits for it. */
async function setUp(options: Partial<RunRoutesOptions>) {
  const store = memoryStore();
  const agent = createAgentRuntime({ name: "clerk", model: scriptedModel(["Done."]), store });
  const { runId } = await agent.run("Mine.", { userId: "ada" });
  const errors: unknown[] = [];
  const given = { agent, store, onError: (error: unknown) => void errors.push(error), ...options };
  return { runId, errors, given };
}

const rows: Readonly<Record<string, { readonly options: Partial<RunRoutesOptions>; readonly path: string }>> = {
  authorize: { options: { authorize: never }, path: "/runs/RUN" },
  "share.read": { options: { authorize: () => ({ userId: "eve" }), share: { read: never } }, path: "/runs/RUN" },
  toRunInput: { options: { toRunInput: never }, path: "/chat" },
  "authorize of openaiRoutes()": { options: { authorize: never }, path: "/chat/completions" },
};

const bodyOf = (path: string): string | undefined =>
  path === "/chat/completions"
    ? JSON.stringify({ model: "clerk", messages: [{ role: "user", content: "Go." }] })
    : path === "/chat"
      ? JSON.stringify({ id: "a session that is long enough", messages: [] })
      : undefined;

test.each(Object.entries(rows))(
  "a request waits 30 seconds for %s, and is then refused without details [server.authorize]",
  async (name, { options, path }) => {
    const { runId, errors, given } = await setUp(options);
    const app = path === "/chat/completions" ? openaiRoutes({ ...given, questionUrl: () => "x" }) : runRoutes(given);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const body = bodyOf(path);
    const answered = Promise.resolve(
      app.fetch(
        new Request(`http://localhost${path.replace("RUN", runId)}`, {
          ...(body !== undefined && { method: "POST", body, headers: { "content-type": "application/json" } }),
        }),
      ),
    );
    let isAnswered = false;
    void answered.then(() => (isAnswered = true));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(isAnswered).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    const response = await answered;
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("30000");
    expect(errors).toMatchObject([
      { code: "HOOK_TIMEOUT", message: expect.stringContaining(name.split(" ")[0] ?? "") },
    ]);
  },
);

test("a caller that disconnects ends the wait for authorize, and is not an error [server.authorize]", async () => {
  let asked: (() => void) | undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  let signal: AbortSignal | undefined;
  const { errors, given, runId } = await setUp({
    authorize: (request) => {
      signal = request.signal;
      asked?.();
      return never();
    },
  });
  let settled = 0;
  const app = runRoutes(given);
  const listener = getRequestListener(async (request) => {
    const response = await app.fetch(request);
    settled += 1;
    return response;
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = new AbortController();
  const request = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/runs/${runId}`, {
    signal: end.signal,
  });
  await isAsked;
  end.abort();
  await expect(request).rejects.toThrow("aborted");
  await expect.poll(() => settled).toBe(1);
  expect([signal?.aborted, errors]).toEqual([true, []]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
