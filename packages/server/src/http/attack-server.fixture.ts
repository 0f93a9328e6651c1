import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, memoryStore } from "@bailiwick/agent";
import { getRequestListener } from "@hono/node-server";
import { scriptedModel } from "@bailiwick/testing";
import { Hono } from "hono";
import { openaiRoutes } from "../openai/openai-routes.ts";
import { payTool } from "./pay.fixture.ts";
import { runRoutes } from "./run-routes.ts";

/** A word in the victim's messages. No answer to another caller may contain it. */
export const secret = "canary-7f3a";

/** A caller, as the headers of a request name them. */
export interface Attacker {
  readonly user?: string;
  readonly tenant?: string;
}

/** Ids of the victim's objects. */
export interface Known {
  /** The run that waits for her approval. */
  readonly runId: string;
  /** A completed run of the same chat. */
  readonly earlierRunId: string;
  readonly chatId: string;
  /** The session of the chat's active branch. */
  readonly branchId: string;
  readonly questionId: string;
  readonly token: string;
}

/** A request of a caller. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ada: Attacker = { user: "ada", tenant: "t1" };

/** A caller who has not signed in: owns what has an id that only this caller knows. */
export const visitor: Attacker = { tenant: "t1" };

/** Body of a message of `useChat`. */
export const chatBody = (id: string, text: string, more: object = {}): object => ({
  id,
  trigger: "submit-message",
  messages: [{ id: "u1", role: "user", parts: [{ type: "text", text }] }],
  ...more,
});

/** Sends a request of a caller. */
type Ask = (caller: Attacker, sent: Sent) => Promise<{ readonly status: number; readonly text: string }>;

/** The victim's chat, and a client of the server that has it. */
interface AttackedWorld {
  readonly ask: Ask;
  readonly known: Known;
  /** Amounts that were paid. */
  readonly paid: readonly number[];
  /** All stored data of the victim. */
  readonly state: () => Promise<unknown>;
}

/** All routes of the package in one app, and a chat of the victim with a completed run and a run that waits. */
export async function attackedApp(victim: Attacker = ada): Promise<AttackedWorld & { readonly app: Hono }> {
  const { pay, paid } = payTool();
  const store = memoryStore();
  // The model repeats everything that it reads: a run with the victim's messages would show them in its answer.
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === "user" && last.text.startsWith("Pay"))
      return { toolCalls: [{ name: "pay", arguments: { amount: 5 } }] };
    return `Read: ${messages.map(({ text }) => text).join(" | ")}`;
  });
  const agent = new Agent({
    name: "clerk",
    model,
    tools: [pay],
    store,
    session: store.sessions,
    keys: { sign: "the signing key of the test, 32 bytes or more" },
    flow: "off",
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const options = {
    agent,
    store,
    authorize: (request: Request) => ({
      userId: request.headers.get("x-user") ?? undefined,
      tenantId: request.headers.get("x-tenant") ?? undefined,
    }),
    pollMs: 5,
    onError: () => undefined,
  };
  const app = new Hono()
    .route("/", runRoutes(options))
    .route("/v1", openaiRoutes({ ...options, questionUrl: (runId) => `https://app.example.com/runs/${runId}` }));
  const ask = askThrough(async (path, init) => app.request(`http://localhost${path}`, init));

  const chatId = "b7c1a5de-4a0f-4c64-9d5c-2f4d8b1c7e10";
  const post = (body: object) => ask(victim, { method: "POST", path: "/chat", body });
  await post(chatBody(chatId, `Remember ${secret}.`));
  const earlier = await post(chatBody(chatId, `Remember ${secret}.`, { trigger: "regenerate-message" }));
  const started = await post(chatBody(chatId, `Pay the rent, ${secret}.`));
  const runId = runIn(started.text);
  const [question] = await agent.interruptions(runId);
  const known: Known = {
    runId,
    earlierRunId: runIn(earlier.text),
    chatId,
    branchId: (await store.getRun(runId))?.sessionId ?? "",
    questionId: question?.id ?? "",
    token: question?.token ?? "",
  };
  for (const [name, id] of Object.entries(known)) if (id === "") throw new Error(`The victim's chat has no ${name}.`);
  const runIds = [known.runId, known.earlierRunId];
  const owner = { userId: victim.user, tenantId: victim.tenant };
  const state = async () => ({
    // Without a user, the list has the runs of all.
    runs:
      victim.user === undefined ? await Promise.all(runIds.map((id) => store.getRun(id))) : await store.listRuns(owner),
    records: await Promise.all(runIds.map((id) => store.load(id).catch(() => "deleted"))),
    sessions: await Promise.all(
      [chatId, known.branchId].map(async (id) => [
        await store.sessions.load(id, owner),
        await store.sessions.loadState(id, owner),
      ]),
    ),
  });
  return { app, ask, known, paid, state };
}

const runIn = (stream: string): string => /"messageId":"([^"]+)"/u.exec(stream)?.[1] ?? "";

/** The same app behind a Node server on the loopback interface. */
export async function attackedServer(
  parsesBefore: boolean,
  victim: Attacker = ada,
): Promise<AttackedWorld & AsyncDisposable> {
  const { app, ...world } = await attackedApp(victim);
  const listener = getRequestListener(app.fetch) as RequestListener;
  const server = createServer((incoming, outgoing) => {
    const ready = parsesBefore && incoming.method !== "GET" ? readBefore(incoming) : Promise.resolve();
    void ready.then(() => listener(incoming, outgoing));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...world,
    ask: askThrough((path, init) => fetch(`${base}${path}`, init)),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

/** Reads a body like express.json(): from the stream, which is empty afterwards. */
async function readBefore(incoming: IncomingMessage & { body?: unknown }): Promise<void> {
  incoming.setEncoding("utf8");
  let text = "";
  for await (const part of incoming) text += part as string;
  incoming.body = text === "" ? {} : JSON.parse(text);
}

function askThrough(send: (path: string, init: RequestInit) => Promise<Response>): Ask {
  return async ({ user, tenant }: Attacker, { method, path, body, headers }: Sent) => {
    const response = await send(path, {
      method,
      headers: {
        ...(user !== undefined && { "x-user": user }),
        ...(tenant !== undefined && { "x-tenant": tenant }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
}
