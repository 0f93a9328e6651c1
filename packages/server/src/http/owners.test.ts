import { createAgentRuntime, memoryStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import type { AccessRequest } from "./authorize.ts";
import { payTool } from "./pay.fixture.ts";
import { runRoutes } from "./run-routes.ts";
import type { RunRoutesOptions } from "./run-routes-options.ts";

const longId = "b7c1a5de-4a0f-4c64-9d5c-2f4d8b1c7e10";

function served(options: Partial<RunRoutesOptions> = {}) {
  const { pay, paid } = payTool();
  const store = memoryStore();
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length === 0 ? { toolCalls: [{ name: "pay", arguments: { amount: 5 } }] } : "Paid.",
  );
  const agent = createAgentRuntime({ name: "clerk", model, tools: [pay], store, session: store.sessions });
  const byHeader: RunRoutesOptions["authorize"] = (request) => ({
    userId: request.headers.get("x-user") ?? undefined,
    tenantId: request.headers.get("x-tenant") ?? undefined,
  });
  const app = runRoutes({ agent, store, authorize: byHeader, pollMs: 5, onError: () => undefined, ...options });
  const as = (user: string | undefined, more: Record<string, string> = {}) => {
    const headers = { ...(user !== undefined && { "x-user": user }), ...more };
    const send = async (method: string, path: string, body?: unknown) =>
      app.request(path, {
        method,
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    return {
      send,
      get: async (path: string) => send("GET", path),
      post: async (path: string, body: unknown) => send("POST", path, body),
    };
  };
  const start = async (user: string | undefined, id = longId, more: Record<string, string> = {}): Promise<string> => {
    const text = await (await as(user, more).post("/chat", chat(id))).text();
    return /"messageId":"([^"]+)"/.exec(text)?.[1] ?? "";
  };
  return { app, as, start, paid, agent, store };
}

const chat = (id: string) => ({
  id,
  trigger: "submit-message",
  messages: [{ id: "u1", role: "user", parts: [{ type: "text", text: "Pay the rent." }] }],
});

interface Known {
  readonly runId: string;
  readonly sessionId: string;
  readonly questionId: string;
}

/** Every route that names a run or a session. */
const routes: readonly ((known: Known) => readonly [path: string, body?: unknown, method?: string])[] = [
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
  ({ sessionId }) => [`/chat?of=${sessionId}`],
  ({ sessionId }) => [`/chat/${sessionId}`],
  ({ sessionId }) => [`/chat/${sessionId}`, { title: "Mine" }, "PATCH"],
  ({ sessionId }) => [`/chat/${sessionId}`, undefined, "DELETE"],
  ({ sessionId }) => [`/chat/${sessionId}/branches`],
  ({ sessionId, runId }) => [`/chat/${sessionId}/stop`, { activeStreamId: runId }],
  ({ sessionId }) => [`/chat/${sessionId}/stream`],
  ({ sessionId, questionId }) => [
    "/ag-ui",
    {
      threadId: sessionId,
      runId: "client",
      messages: [],
      resume: [{ interruptId: questionId, status: "resolved", payload: { approved: true } }],
    },
  ],
  ({ sessionId }) => [`/runs?sessionId=${sessionId}`],
  ({ sessionId }) => [`/interruptions?sessionId=${sessionId}`],
  ...["", "/stream", "/interruptions", "/journal", "/timeline", "/audit", "/fork"].map(
    (end) =>
      ({ runId }: Known): readonly [string] => [`/runs/${runId}${end}`],
  ),
  ({ runId, questionId }) => [`/runs/${runId}/decisions`, { decisions: [{ id: questionId, type: "approve" }] }],
  ({ runId }) => [`/runs/${runId}/steer`, { text: "Pay more." }],
  ({ runId }) => [`/runs/${runId}/cancel`, {}],
  ({ runId }) => [`/runs/${runId}/replay`, {}],
  ({ runId }) => [`/runs/${runId}/fork`, { atSeq: 1 }],
];

test("every route treats a run or session of another owner like one that does not exist [server.owner]", async () => {
  const { as, start, agent, store, paid, app } = served();
  const runId = await start("ada", longId, { "x-tenant": "t1" });
  const [question] = await agent.interruptions(runId);
  const real = { runId, sessionId: longId, questionId: question?.id ?? "" };
  const unknown = { runId: "r-none", sessionId: "s-none", questionId: "q-none" };
  const before = await store.load(runId);
  const others = [
    as("bob", { "x-tenant": "t1" }),
    as(undefined, { "x-tenant": "t1" }),
    as("ada"),
    as("ada", { "x-tenant": "t2" }),
    as(undefined),
  ];
  for (const other of others) {
    for (const route of routes) {
      const seen = async (known: Known) => {
        const [path, body, method = body === undefined ? "GET" : "POST"] = route(known);
        const response = await other.send(method, path, body);
        const text = Object.values(known).reduce(
          (rest: string, id: string) => rest.replaceAll(id, "<id>"),
          await response.text(),
        );
        return {
          path: path.replace(known.runId, "<id>").replace(known.sessionId, "<id>"),
          status: response.status,
          text,
        };
      };
      expect(await seen(real)).toEqual(await seen(unknown));
    }
    expect(await (await other.get("/runs")).json()).toEqual({ runs: [] });
  }
  expect(await store.load(runId)).toEqual(before);
  expect(paid).toEqual([]);
  // A new route has to be added to this test.
  const named = app.routes.filter(({ method }) => method !== "ALL").length;
  expect(routes.length).toBe(named);
});

test("a chat with the session id of another user begins a conversation of the caller's own [owner.session-identity]", async () => {
  const { start, store } = served();
  await start("ada");
  await store.sessions.append(longId, [{ id: "m1", role: "user", content: "My PIN is 1234." }], {
    userId: "ada",
    runId: "r0",
    seq: 1,
    state: { pin: "1234" },
  });
  const runId = await start("bob");
  expect(JSON.stringify(await store.load(runId))).not.toContain("1234");
  expect((await store.getRun(runId))?.userId).toBe("bob");
});

test("a caller without a user reaches runs by run id or session id, has no list of all, and needs an id that is not guessed [server.anonymous]", async () => {
  const { as, start } = served();
  const runId = await start(undefined);
  const guest = as(undefined);
  expect(await (await guest.get("/runs")).json()).toEqual({ runs: [] });
  expect(await (await guest.get(`/runs?sessionId=${longId}`)).json()).toMatchObject({ runs: [{ runId }] });
  expect((await guest.get(`/runs/${runId}`)).status).toBe(200);
  for (const [path, body] of [
    ["/chat", chat("chat-1")],
    ["/ag-ui", { threadId: "chat-1", runId: "x", messages: [{ id: "1", role: "user", content: "Hello." }] }],
  ] as const) {
    const refused = await guest.post(path, body);
    expect([path, refused.status]).toEqual([path, 400]);
    expect(await refused.text()).toContain("16 characters");
  }
  expect((await as("ada").post("/chat", chat("chat-1"))).status).toBe(200);
});

test("a claimed session continues as its user's, and no longer without one [owner.claim]", async () => {
  const { as, start, store, agent, paid } = served();
  const runId = await start(undefined);
  await store.sessions.claim(longId, { userId: "ada" });
  expect((await as(undefined).get(`/runs/${runId}`)).status).toBe(404);
  const [question] = await agent.interruptions(runId);
  const decisions = [{ id: question?.id, type: "approve" }];
  expect((await as("bob").post(`/runs/${runId}/decisions`, { decisions })).status).toBe(404);
  expect((await as("ada").post(`/runs/${runId}/decisions`, { decisions })).status).toBe(202);
  await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
  expect(paid).toEqual([5]);
  expect((await store.sessions.load(longId, { userId: "ada" })).messages.length).toBeGreaterThan(0);
  expect((await store.sessions.load(longId)).messages).toEqual([]);
});

test("share opens runs of other users of the tenant, each action for itself and in lists, and never another tenant [server.share] [server.share.lists]", async () => {
  for (const [name, allowed] of [
    ["read", ["", "/interruptions", "/journal", "/timeline", "/audit", "/stream"]],
    ["decide", ["/interruptions", "/decisions"]],
    ["continue", ["/steer", "/cancel"]],
    ["fork", ["/fork"]],
  ] as const) {
    const { as, start, agent } = served({ share: { [name]: ({ userId }: { userId?: string }) => userId === "bob" } });
    const runId = await start("ada", longId, { "x-tenant": "t1" });
    const [question] = await agent.interruptions(runId);
    const bodies: Readonly<Record<string, unknown>> = {
      "/decisions": { decisions: [{ id: question?.id, type: "reject" }] },
      "/steer": { text: "Wait." },
      "/fork": { atSeq: 1 },
      "/cancel": {},
    };
    const all = [
      "",
      "/interruptions",
      "/journal",
      "/timeline",
      "/audit",
      "/stream",
      "/fork",
      "/steer",
      "/decisions",
      "/cancel",
    ];
    for (const [user, tenant] of [
      ["eve", "t1"],
      ["bob", "t2"],
      ["bob", "t1"],
    ] as const) {
      const caller = as(user, { "x-tenant": tenant });
      const isBob = user === "bob" && tenant === "t1";
      const found = (await (await caller.get("/runs")).json()) as { readonly runs: readonly object[] };
      expect(found.runs).toMatchObject(isBob && name === "read" ? [{ runId, userId: "ada" }] : []);
      const inbox = (await (await caller.get("/interruptions")).json()) as {
        readonly interruptions: readonly object[];
      };
      const seesQuestions = isBob && (name === "read" || name === "decide");
      expect(inbox.interruptions).toMatchObject(seesQuestions ? [{ id: question?.id, runId }] : []);
      for (const end of all) {
        const path = `/runs/${runId}${end}`;
        const { status } = await (end in bodies ? caller.post(path, bodies[end]) : caller.get(path));
        const may = isBob && (allowed as readonly string[]).includes(end);
        expect([name, user, tenant, end, status < 300]).toEqual([name, user, tenant, end, may]);
      }
    }
  }
  const { agent, store } = served();
  expect(() => runRoutes({ agent, store, share: { read: () => true } })).toThrow(/"authorize"/);
  expect(() => runRoutes({ agent, store, authorize: () => ({}), share: { raed: () => true } as object })).toThrow(
    /read/,
  );
});

test("a list of shared runs is merged with the caller's own, in pages, and looks at a bounded number of runs [server.share.lists]", async () => {
  const { as, start, store } = served({
    share: { read: ({ userId }, run) => userId === "bob" && run.userId !== "cid" },
  });
  const started: string[] = [];
  for (const user of ["ada", "bob", "cid", "ada", "bob"]) {
    started.unshift(await start(user, `${longId}-${started.length}`));
    // A list is in the order of creation, in whole milliseconds.
    const created = (await store.getRun(started[0] ?? ""))?.createdAt ?? 0;
    await expect.poll(() => Date.now()).toBeGreaterThan(created);
  }
  const [bob2, ada2, cid, bob1, ada1] = started;
  const list = async (query: string) =>
    (await (await as("bob").get(`/runs${query}`)).json()) as {
      readonly runs: readonly { readonly runId: string; readonly createdAt: number }[];
      readonly next?: number;
    };
  const all = await list("");
  expect([all.runs.map(({ runId }) => runId), all.next]).toEqual([[bob2, ada2, bob1, ada1], undefined]);
  const page = await list("?limit=2");
  expect(page.runs.map(({ runId }) => runId)).toEqual([bob2, ada2]);
  const rest = await list(`?limit=2&before=${page.runs[1]?.createdAt}`);
  expect(rest.runs.map(({ runId }) => runId)).toEqual([bob1, ada1]);
  expect(cid).toBeDefined();

  const listRuns = store.listRuns;
  let looked = 0;
  store.listRuns = async (filter) => {
    const runs = await listRuns(filter);
    const [newest] = runs;
    if (filter.allUsers !== true || newest === undefined) return runs;
    // A tenant with very many runs of a user who shares none.
    looked += filter.limit ?? 0;
    return Array.from({ length: filter.limit ?? 0 }, (_, n) => ({
      ...newest,
      id: `cid-${looked}-${n}`,
      userId: "cid",
      createdAt: (filter.before ?? newest.createdAt + 1) - 1,
    }));
  };
  const bounded = await list("");
  expect(bounded.runs.map(({ runId }) => runId)).toEqual([bob2, bob1]);
  expect(bounded.next).toBeGreaterThan(0);
  expect(looked).toBeLessThan(5_000);
});

test("authorize gets the action, the run, the session and the body, and cannot allow more than the owner may [server.authorize]", async () => {
  const asked: AccessRequest[] = [];
  const { as, start, agent } = served({
    authorize: (request, access) => {
      asked.push(access);
      return { userId: request.headers.get("x-user") ?? "" };
    },
  });
  const runId = await start("ada", "chat-1");
  expect(asked.at(-1)).toMatchObject({ action: "start", session: { id: "chat-1" }, body: { id: "chat-1" } });
  await as("ada").get("/runs?sessionId=chat-1");
  expect(asked.at(-1)).toEqual({ action: "list", session: { id: "chat-1" } });
  await as("ada").get("/runs");
  expect(asked.at(-1)).toEqual({ action: "list" });
  const [question] = await agent.interruptions(runId);
  const body = { decisions: [{ id: question?.id, type: "approve" }] };
  expect((await as("bob").post(`/runs/${runId}/decisions`, body)).status).toBe(404);
  expect(asked.at(-1)).toMatchObject({ action: "decide", run: { id: runId }, session: { id: "chat-1" }, body });
});

test("a body already read by a Node middleware is used as the request body [server.authorize]", async () => {
  const { app } = served({ authorize: (_request, { body }) => (body?.["id"] === "chat-1" ? { userId: "ada" } : null) });
  // A request after express.json(): without its stream, with Node's request beside it.
  const consumed = new Request("http://localhost/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(chat("chat-1")),
  });
  const incoming = { body: await consumed.json() };
  const response = await app.fetch(consumed, { incoming });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("approval");
});

test("without authorize only loopback hosts are answered, and an origin has to be the host's own or listed [server.host] [server.origin]", async () => {
  const { agent, store, app: open } = served({ authorize: () => ({ userId: "ada" }) });
  const alone = runRoutes({ agent, store });
  const listed = runRoutes({ agent, store, allowedOrigins: ["https://app.example"] });
  const status = async (app: typeof open, host: string, origin?: string) =>
    (await app.request(`http://${host}/runs`, { headers: { host, ...(origin !== undefined && { origin }) } })).status;
  for (const host of ["localhost", "localhost:3000", "127.0.0.1:3000", "127.8.9.1", "[::1]:3000", "desk.localhost"])
    expect([host, await status(alone, host)]).toEqual([host, 200]);
  for (const host of [
    "evil.example",
    "localhost.evil.example",
    "10.0.0.1",
    "127.0.0.1.evil.example",
    "0.0.0.0:80",
    "[::2]",
  ]) {
    expect([host, await status(alone, host)]).toEqual([host, 403]);
    expect([host, await status(open, host)]).toEqual([host, 200]);
  }
  expect(await status(alone, "localhost:3000", "http://localhost:3000")).toBe(200);
  for (const origin of ["http://localhost:3001", "https://evil.example", "null", "http://localhost"])
    expect([origin, await status(alone, "localhost:3000", origin)]).toEqual([origin, 403]);
  expect(await status(open, "api.example", "https://api.example")).toBe(200);
  expect(await status(open, "api.example", "https://evil.example")).toBe(403);
  expect(await status(listed, "localhost:3000", "https://app.example")).toBe(200);
  expect(await status(listed, "localhost:3000", "https://app.example.evil")).toBe(403);
  const answered = await listed.request("http://localhost/runs", { headers: { origin: "https://app.example" } });
  expect(answered.headers.get("access-control-allow-origin")).toBe("https://app.example");
  expect(() => runRoutes({ agent, store, allowedOrigins: ["https://app.example/"] })).toThrow(/without a path/);
});
