import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgentRuntime, memoryStore } from "@bailiwick/core";
import { getRequestListener } from "@hono/node-server";
import { scriptedModel } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { payTool } from "./pay.fixture.ts";
import { runRoutes } from "./run-routes.ts";

const secret = "canary-7f3a";
const sessionId = "b7c1a5de-4a0f-4c64-9d5c-2f4d8b1c7e10";

/** Reads a body as express.json() does: from the stream, which is empty then. */
async function readBefore(incoming: IncomingMessage & { body?: unknown }): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  incoming.body = text === "" ? {} : JSON.parse(text);
}

/** A Node server on the loopback interface, with a question of ada's that waits. */
async function serve(parsesBefore: boolean) {
  const { pay, paid } = payTool();
  const store = memoryStore();
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length === 0 ? { toolCalls: [{ name: "pay", arguments: { amount: 5 } }] } : "Paid.",
  );
  const agent = createAgentRuntime({ name: "clerk", model, tools: [pay], store, session: store.sessions });
  const app = runRoutes({
    agent,
    store,
    authorize: (request) => ({ userId: request.headers.get("x-user") ?? undefined }),
    pollMs: 5,
    onError: () => undefined,
  });
  const listener = getRequestListener(app.fetch) as RequestListener;
  const server = createServer((incoming, outgoing) => {
    const ready = parsesBefore && incoming.method === "POST" ? readBefore(incoming) : Promise.resolve();
    void ready.then(() => listener(incoming, outgoing));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (user: string | undefined, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${base}${path}`, {
      headers: {
        ...(user !== undefined && { "x-user": user }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const started = await ask("ada", "/chat", chat(sessionId));
  const runId = /"messageId":"([^"]+)"/.exec(started.text)?.[1] ?? "";
  await expect.poll(async () => (await store.getRun(runId))?.state).toMatch(/waiting|suspended/u);
  const [question] = await agent.interruptions(runId);
  return {
    ask,
    agent,
    store,
    paid,
    known: { runId, sessionId, questionId: question?.id ?? "", token: question?.token ?? "" },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

const chat = (id: string) => ({
  id,
  trigger: "submit-message",
  messages: [{ id: "u1", role: "user", parts: [{ type: "text", text: `Pay the rent, ${secret}.` }] }],
});

interface Known {
  readonly runId: string;
  readonly sessionId: string;
  readonly questionId: string;
  readonly token: string;
}

/** The requests of an attacker who knows every id. */
const attacks: readonly ((known: Known) => readonly [path: string, body?: unknown])[] = [
  ...["", "/stream", "/stream?after=1", "/interruptions", "/journal", "/journal?after=1", "/timeline", "/audit"].map(
    (end) =>
      ({ runId }: Known): readonly [string] => [`/runs/${runId}${end}`],
  ),
  ({ sessionId: id }) => [`/runs?sessionId=${id}`],
  () => ["/runs?limit=100"],
  ({ sessionId: id }) => [`/chat/${id}/stream`],
  ...(["approve", "reject"] as const).map(
    (type) =>
      ({ runId, questionId, token }: Known): readonly [string, unknown] => [
        `/runs/${runId}/decisions`,
        { decisions: [{ id: questionId, type, token }] },
      ],
  ),
  ({ runId, questionId }) => [
    "/chat",
    {
      messages: [
        {
          id: runId,
          role: "assistant",
          parts: [{ state: "approval-responded", approval: { id: questionId, approved: true } }],
        },
      ],
    },
  ],
  ({ sessionId: id, questionId }) => [
    "/ag-ui",
    {
      threadId: id,
      runId: "client",
      messages: [],
      resume: [{ interruptId: questionId, status: "resolved", payload: { approved: true } }],
    },
  ],
  ({ runId }) => [`/runs/${runId}/steer`, { text: "Pay more." }],
  ({ runId }) => [`/runs/${runId}/cancel`, { reason: "No." }],
  ({ runId }) => [`/runs/${runId}/replay`, {}],
  ({ runId }) => [`/runs/${runId}/fork`, { atSeq: 1, message: "Pay me." }],
];

const unknown: Known = { runId: "no-run", sessionId: "no-session-of-that-id", questionId: "no-question", token: "t" };

test.each([false, true])(
  "any requests of another user over HTTP change and show nothing, and answer as for ids that do not exist (body read before: %s) [server.owner]",
  async (parsesBefore) => {
    await using server = await serve(parsesBefore);
    const { ask, known, store, paid } = server;
    const state = async () => ({
      run: await store.getRun(known.runId),
      records: await store.load(known.runId),
      session: await store.sessions.load(sessionId, { userId: "ada" }),
    });
    const before = await state();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(attacks.length - 1), fc.constantFrom("bob", undefined, "ADA", "ada ", "")), {
          minLength: 1,
          maxLength: 6,
        }),
        async (requests) => {
          for (const [index, user] of requests) {
            // A header's value is trimmed on its way: this one is ada.
            if (user === "ada ") continue;
            const seen = async (ids: Known) => {
              const [path, body] = attacks[index]?.(ids) ?? [""];
              const { status, text } = await ask(user, path, body);
              const named = [ids.runId, ids.sessionId, ids.questionId].reduce(
                (rest, id) => rest.replaceAll(id, "<id>"),
                text,
              );
              return {
                path: path.replaceAll(ids.runId, "<id>").replaceAll(ids.sessionId, "<id>"),
                status,
                text: named,
              };
            };
            const real = await seen(known);
            expect(real).toEqual(await seen(unknown));
            expect(real.text).not.toContain(secret);
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(await state()).toEqual(before);
    expect(paid).toEqual([]);
    // The owner still can.
    const decisions = [{ id: known.questionId, type: "approve", token: known.token }];
    expect((await ask("ada", `/runs/${known.runId}/decisions`, { decisions })).status).toBe(202);
    await expect.poll(() => paid).toEqual([5]);
  },
  60_000,
);

test("a page of another site cannot call the server with any request [server.origin]", async () => {
  await using server = await serve(false);
  const { ask, known } = server;
  for (const attack of attacks) {
    const [path, body] = attack(known);
    const { status, text } = await ask("ada", path, body, { origin: "https://evil.example" });
    expect([path, status, text.includes("ORIGIN_REFUSED")]).toEqual([path, 403, true]);
  }
});
