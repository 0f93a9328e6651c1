import { memoryStore } from "@bailiwick/core";
import { openai, openaiOptions, shell } from "@bailiwick/providers-openai";
import { faultyStore } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { collect, failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** A vendor that writes one answer in the background; `finish` completes it. */
function vendor() {
  const requests: string[] = [];
  const bodies: Record<string, unknown>[] = [];
  let status = "queued";
  let failing = 0;
  const answer = (id: string) => ({
    id,
    object: "response",
    status,
    model: "gpt-5.5-pro",
    output:
      status === "completed" ? [{ type: "message", content: [{ type: "output_text", text: `Answer ${id}.` }] }] : [],
    usage: status === "completed" ? { input_tokens: 10, output_tokens: 5, total_tokens: 15 } : null,
  });
  const model = openai("gpt-5.5-pro", {
    apiKey: "k",
    baseURL: "http://127.0.0.1:1",
    fetch: async (input, init) => {
      const { method, pathname } = { method: init?.method ?? "GET", pathname: new URL(input).pathname };
      requests.push(`${method} ${pathname}`);
      init?.signal?.throwIfAborted();
      if (pathname.endsWith("/cancel")) return Response.json({ ...answer("x"), status: "cancelled" });
      if (method === "GET" && failing > 0) {
        failing -= 1;
        return Response.json({ error: { message: "Busy." } }, { status: 503 });
      }
      if (method === "GET") return Response.json(answer(pathname.split("/").at(-1) ?? ""));
      bodies.push(JSON.parse(init?.body as string) as Record<string, unknown>);
      return Response.json(answer(`resp_${bodies.length}`));
    },
  });
  return {
    model,
    requests,
    bodies,
    finish: () => (status = "completed"),
    failNext: (count: number) => (failing = count),
  };
}

const base = {
  name: "agent",
  logger: quiet,
  flow: "off",
  providerOptions: openaiOptions({ background: true }),
} as const;
const readings = (requests: readonly string[]): number => requests.filter((one) => one.startsWith("GET")).length;

test("an answer in the background is waited for, whole and streamed, also while readings fail [providers.openai-responses.background]", async () => {
  for (const streamed of [false, true]) {
    const { model, requests, bodies, finish, failNext } = vendor();
    failNext(1);
    const agent = new Agent({ ...base, model });
    const handle = agent.stream("go");
    const events = streamed ? collect(handle) : undefined;
    await expect.poll(() => readings(requests)).toBeGreaterThan(1);
    finish();
    expect((await handle.result).text).toBe("Answer resp_1.");
    expect(bodies).toMatchObject([{ background: true, store: true }]);
    expect(bodies[0]).not.toHaveProperty("stream");
    const types = (await events)?.events.map(({ type }) => type) ?? ["text", "model.started"];
    expect(types).toContain("text");
    expect(types).toContain("model.started");
  }
});

test("another process reads the answer that the first one asked for, and asks nothing again [providers.openai-responses.background.resumed]", async () => {
  // A hosted tool that writes: its outcome is looked up, and no person is asked.
  for (const hostedTools of [[], [shell()]]) {
    const { model, requests, bodies, finish } = vendor();
    let now = 1_000_000;
    const inner = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
    let dying = false;
    const store = faultyStore(inner, ({ operation }) =>
      dying && operation === "append" ? { crash: true } : undefined,
    );
    const handle = new Agent({ ...base, model, store, hostedTools }).stream("go");
    handle.result.catch(() => undefined);
    await expect.poll(() => readings(requests)).toBeGreaterThan(0);
    dying = true;
    finish();
    await store.crashed;
    now += 600_000;
    const asked = requests.length;
    const output = await new Agent({ ...base, model, store: inner, hostedTools }).resume(handle.runId);
    expect(requests.slice(asked)).toEqual(["GET /responses/resp_1"]);
    expect(output.text).toBe("Answer resp_1.");
    expect(bodies).toHaveLength(1);
    expect(requests.some((one) => one.endsWith("/cancel"))).toBe(false);
  }
});

test("a cancelled run cancels its answer at the vendor [providers.openai-responses.background.cancelled]", async () => {
  const { model, requests } = vendor();
  const handle = new Agent({ ...base, model }).stream("go");
  await expect.poll(() => readings(requests)).toBeGreaterThan(0);
  handle.abort();
  expect((await handle.result).status).toBe("cancelled");
  await expect.poll(() => requests.at(-1)).toBe("POST /responses/resp_1/cancel");
});

test("without the option, an answer in the background is refused with the option's name [providers.openai-responses.unfinished]", async () => {
  const { model } = vendor();
  const agent = new Agent({ ...base, model, providerOptions: {} });
  expect(await failureOf(agent.run("go"))).toMatchObject({
    code: "MODEL_RESPONSE_INVALID",
    message: expect.stringContaining("openaiOptions({ background: true })") as string,
  });
});
