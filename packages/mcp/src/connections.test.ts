import { createMcpHandler } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { acting, agentWith, resultsOf, until } from "./agents.test.helper.ts";
import { backoff } from "./connection/backoff.ts";
import { createConnection } from "./connection/connection.ts";
import type { OpenClient } from "./connection/open-client.ts";
import { resumingFetch } from "./connection/resuming-streams.ts";
import { loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";
import { sessionServer } from "./session-server.test.helper.ts";
import { trackerServer } from "./tracker.fixture.ts";
import type { TrackerLog } from "./tracker.fixture.ts";

const tools = {
  "*": { sideEffectClass: "read-only" },
  create_issue: { sideEffectClass: "external-stateful" },
} as const;
const list = { toolCalls: [{ name: "list_issues", arguments: {} }] };
const create = { toolCalls: [{ name: "create_issue", arguments: { repo: "ours", title: "Broken" } }] };
const requests = { onElicitation: undefined, onSampling: undefined, onRoots: undefined };
const listener = { requests, onToolsChanged: () => undefined };
const toolPosts = (requests: readonly string[]): number => requests.filter((one) => one === "POST tools/call").length;

test("an expired session is reopened without its old id; a failed writer is not sent again, a reader is [field-bug:PB-mcp-06]", async () => {
  await using server = await sessionServer();
  await using tracker = mcp({ name: "tracker", url: server.url, protocol: "legacy", tools });
  const { agent } = agentWith(
    [tracker],
    acting(
      () => {
        server.expire();
        return create;
      },
      create,
      () => {
        server.expire();
        return list;
      },
      list,
      "Done.",
    ),
    { flow: "off" },
  );
  const { toolCalls } = await agent.run("go");
  expect(toolCalls.map(({ isError }) => isError)).toEqual([true, false, false, false]);
  expect(toolCalls[0]).toMatchObject({ error: { kind: "execution_failed" } });
  expect(JSON.stringify(toolCalls[0])).toContain("was not sent again");
  expect(server.log.calls).toEqual(["create_issue ours Broken", "list_issues", "list_issues"]);
  // One for the call that was refused, one for the next, the read twice, and one more.
  expect(toolPosts(server.requests)).toBe(5);
  // The tools are listed once for each session.
  expect(server.requests.filter((one) => one === "POST tools/list")).toHaveLength(3);
  expect(server.openings).toEqual([null, null, null]);
});

test("a session that expired between two runs is reopened by the next run [field-bug:PB-mcp-06]", async () => {
  await using server = await sessionServer();
  await using tracker = mcp({ name: "tracker", url: server.url, protocol: "legacy", tools });
  const { agent } = agentWith([tracker], [list, "Done.", list, "Done."]);
  await agent.run("go");
  server.expire();
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
  expect(server.openings).toEqual([null, null]);
  server.expire();
  expect(await tracker.listPrompts()).toHaveLength(1);
});

/** Connections without a server; `ends` ends the connection of that number, and `closed` has those that were closed. */
function openings() {
  const ends: (() => void)[] = [];
  const made: OpenClient[] = [];
  const closed: OpenClient[] = [];
  const openOne = async (): Promise<OpenClient> => {
    const lost = new Promise<void>((resolve) => void ends.push(resolve));
    const open = { lost, close: async () => void closed.push(open) } as unknown as OpenClient;
    made.push(open);
    return open;
  };
  return { openOne, ends, made, closed };
}

const asking = { signal: new AbortController().signal };
const itself = async (open: OpenClient): Promise<OpenClient> => open;
const broken = async (): Promise<never> => {
  throw new TypeError("fetch failed");
};

test("a lost connection is retried as configured; the first connection is tried once", async () => {
  let attempts = 0;
  let isThere = false;
  const { openOne, ends } = openings();
  const options = { name: "tracker", url: "https://x.test/mcp", reconnect: { initialDelayMs: 1, maxAttempts: 3 } };
  const connection = createConnection(options, listener, async () => {
    attempts += 1;
    if (!isThere) throw new Error("down");
    return openOne();
  });
  await expect(connection.use(asking, itself)).rejects.toThrow("down");
  expect(attempts).toBe(1);
  isThere = true;
  await connection.use(asking, itself);
  ends[0]?.();
  await until(() => connection.current === undefined, "the loss is noticed");
  isThere = false;
  await expect(connection.use(asking, itself)).rejects.toThrow("down");
  expect(attempts).toBe(5);
});

test("a connection is closed when its last request has ended; later requests use another one [mcp.own-failures]", async () => {
  const { openOne, made, closed } = openings();
  const connection = createConnection({ name: "tracker", url: "https://x.test/mcp" }, listener, openOne);
  let answer: ((text: string) => void) | undefined;
  const slow = connection.use(asking, () => new Promise<string>((resolve) => void (answer = resolve)));
  await expect(connection.use(asking, broken)).rejects.toThrow("fetch failed");
  expect(await connection.use(asking, itself)).toBe(made[1]);
  expect(made).toHaveLength(2);
  expect(closed).toEqual([]);
  answer?.("late");
  expect(await slow).toBe("late");
  expect(closed).toEqual([made[0]]);
  await connection.close();
  expect(closed).toEqual(made);
});

test("a server that was down is used after it is up again, whatever the earlier failure [field-bug:PB-mcp-07]", async () => {
  await using server = await sessionServer();
  await using tracker = mcp({
    name: "tracker",
    url: server.url,
    protocol: "legacy",
    tools,
    reconnect: { initialDelayMs: 1, maxAttempts: 2 },
  });
  const { agent } = agentWith([tracker], [list, "Done.", list, "Done."], { flow: "off" });
  await agent.run("go");
  server.cut();
  await expect(agent.run("go")).rejects.toMatchObject({ code: "MCP_UNAVAILABLE" });
  await expect(agent.run("go")).rejects.toMatchObject({ code: "MCP_UNAVAILABLE" });
  // A restarted one has no earlier state.
  server.expire();
  server.mend();
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
});

test("the late end of an old connection does not end the new connection [field-bug:PB-mcp-07]", async () => {
  const { openOne, ends, made } = openings();
  const connection = createConnection({ name: "tracker", url: "https://x.test/mcp" }, listener, openOne);
  await expect(connection.use(asking, broken)).rejects.toThrow("fetch failed");
  const next = await connection.use(asking, itself);
  ends[0]?.();
  await made[0]?.lost;
  await new Promise(setImmediate);
  expect(connection.current).toBe(next);
  expect(await connection.use(asking, itself)).toBe(next);
  ends[1]?.();
  await until(() => connection.current === undefined, "the connection that is open is noticed to be lost");
});

/** Opens a separate stream at a server whose streams are these, and records the delay before each. */
async function delaysOf(streams: readonly string[], maxAttempts: number): Promise<readonly number[]> {
  const delays: number[] = [];
  let next = 0;
  const open = async (): Promise<Response> =>
    new Response(streams[Math.min(next++, streams.length - 1)], { headers: { "content-type": "text/event-stream" } });
  const fetch = resumingFetch({
    fetch: open,
    resume: open,
    backoff: backoff({ initialDelayMs: 100, maxDelayMs: 1_000, maxAttempts }),
    wait: async (ms) => void delays.push(ms),
  });
  await (await fetch("https://x.test/mcp", { method: "GET" })).text();
  return delays;
}

const message = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';

test("a stream that ends at once is reopened after growing delays, a bounded number of times [field-bug:PB-mcp-10]", async () => {
  expect(await delaysOf([""], 6)).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  // A message shows that the stream works: the delays start again.
  expect(await delaysOf(["", "", message, ""], 3)).toEqual([100, 200, 100, 200, 400]);
  // Each stream waits as long as its server requests.
  expect(await delaysOf(["retry: 70\n\n", ""], 3)).toEqual([70, 70, 70]);
});

test("streams of one server have separate attempts and delays [mcp.stream-resumption]", async () => {
  const waits = new Map<string, number[]>();
  const fetch = resumingFetch({
    fetch: async (_, init) => {
      const { id } = JSON.parse(init?.body as string) as { id: number };
      return new Response(`id: s${id}-1\nretry: ${id * 100}\ndata:\n\n`, {
        headers: { "content-type": "text/event-stream" },
      });
    },
    resume: async (_, init) => {
      const id = new Headers(init?.headers).get("last-event-id") ?? "";
      waits.set(id, [...(waits.get(id) ?? [])]);
      if (id === "s1-1") return new Response(null, { status: 503 });
      return new Response(`id: s2-2\ndata: {"jsonrpc":"2.0","id":2,"result":{}}\n\n`);
    },
    backoff: backoff({ maxAttempts: 3 }),
    wait: async (ms) => void waits.set(String(ms), [...(waits.get(String(ms)) ?? []), ms]),
  });
  const call = async (id: number): Promise<string> =>
    (await fetch("https://x.test/mcp", { method: "POST", body: JSON.stringify({ id, method: "tools/call" }) })).text();
  const [one, two] = await Promise.all([call(1), call(2)]);
  expect(one).not.toContain("result");
  expect(two).toContain('"result":{}');
  expect(waits.get("100")).toEqual([100, 100, 100]);
  expect(waits.get("200")).toEqual([200]);
});

test("an answer is continued from the last complete event; a call whose attempts are used up fails [mcp.stream-resumption]", async () => {
  const resumed: (string | null)[] = [];
  let refuse = false;
  await using server = await sessionServer(async (request, method) => {
    if (request.method === "GET") {
      const id = request.headers.get("last-event-id");
      if (id === null) return new Response(null, { status: 405 });
      resumed.push(id);
      if (refuse) return new Response(null, { status: 404 });
      const [, call] = id.split("/");
      const result = { content: [{ type: "text", text: "#7 continued" }] };
      return new Response(`id: e2/${call}\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: Number(call), result })}\n\n`, {
        headers: { "content-type": "text/event-stream" },
      });
    }
    if (method !== "tools/call") return undefined;
    const { id } = (await request.clone().json()) as { id: number };
    // An event that is cut off in the middle.
    return new Response(`id: e1/${id}\nretry: 1\ndata:\n\nid: broken\ndata: {"jsonrpc":"2.0","id":${id},"resu`, {
      headers: { "content-type": "text/event-stream" },
    });
  });
  await using tracker = mcp({ name: "tracker", url: server.url, protocol: "legacy", tools });
  const read = await agentWith([tracker], [list, "Done."]).agent.run("go");
  expect(resultsOf(read).join()).toContain("#7 continued");
  expect(resumed).toHaveLength(1);
  expect(resumed[0]).toMatch(/^e1/u);
  refuse = true;
  const written = await agentWith([tracker], [create, "Done."], { flow: "off" }).agent.run("go");
  expect(written.toolCalls).toMatchObject([{ isError: true, error: { kind: "unknown_outcome" } }]);
  expect(resumed).toHaveLength(2);
});

test("a socket error while listing tools is retried [mcp.stream-resumption]", async () => {
  let breaks = 1;
  await using server = await sessionServer((_, method) => {
    if (method !== "tools/list" || breaks-- <= 0) return undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"jsonrpc":"2.0",'));
        setImmediate(() => controller.error(new Error("cut")));
      },
    });
    return new Response(body, { headers: { "content-type": "application/json" } });
  });
  await using tracker = mcp({ name: "tracker", url: server.url, protocol: "legacy", tools });
  const output = await agentWith([tracker], [list, "Done."]).agent.run("go");
  expect(resultsOf(output).join()).toContain("#1 Broken link");
  expect(server.openings).toEqual([null, null]);
});

test("calls work although the server ends the event stream at once [field-bug:PB-mcp-10]", async () => {
  await using server = await sessionServer((request) =>
    request.method === "GET" ? new Response("", { headers: { "content-type": "text/event-stream" } }) : undefined,
  );
  await using tracker = mcp({
    name: "tracker",
    url: server.url,
    protocol: "legacy",
    tools,
    reconnect: { initialDelayMs: 1, maxDelayMs: 2, maxAttempts: 3 },
  });
  await tracker.connect();
  const streams = (): number => server.requests.filter((one) => one.startsWith("GET")).length;
  await until(() => streams() === 4, "the stream is opened once and three times more");
  const { agent } = agentWith([tracker], [list, "Done."]);
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
  expect(streams()).toBe(4);
});

test("a writer whose answer is lost has an unknown outcome and is sent once; a reader is sent again [mcp.sent-once]", async () => {
  for (const protocol of ["legacy", "auto"] as const) {
    const log: TrackerLog = { calls: [], cancelled: [] };
    const handler = createMcpHandler(() => trackerServer(log));
    let lose = true;
    await using server = await loopback(async (request) => {
      const isCall = request.method === "POST" && (await request.clone().text()).includes('"tools/call"');
      const response = await handler.fetch(request);
      if (!isCall || !lose) return response;
      // The server executed the call; its answer is lost on the way.
      await response.text();
      lose = false;
      return new Response("", { headers: { "content-type": "text/event-stream" } });
    });
    await using tracker = mcp({ name: "tracker", url: server.url, protocol, tools });
    const writes = agentWith([tracker], [create, "Done."], { flow: "off" });
    const written = await writes.agent.run("go");
    expect(written.toolCalls).toMatchObject([{ isError: true, error: { kind: "unknown_outcome" } }]);
    expect(written.status).toBe("completed");
    expect(log.calls).toEqual(["create_issue ours Broken"]);
    lose = true;
    const reads = agentWith([tracker], [list, "Done."]);
    expect((await reads.agent.run("go")).toolCalls).toMatchObject([{ isError: false }]);
    expect(log.calls).toEqual(["create_issue ours Broken", "list_issues", "list_issues"]);
    await handler.close();
  }
});

test("an unreachable server is a typed error with its URL; an optional one is left out", async () => {
  await using gone = await loopback(() => new Response());
  gone.cut();
  await using required = mcp({ name: "tracker", url: gone.url });
  const failed = await agentWith([required], ["Done."])
    .agent.run("go")
    .catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: "MCP_UNAVAILABLE", server: "tracker" });
  expect((failed as Error).message).toContain(gone.url);
  await using optional = mcp({ name: "tracker", url: gone.url, optional: true });
  const { agent } = agentWith([optional], ["Done."]);
  const output = await agent.run("go");
  expect(output.status).toBe("completed");
  expect(output.warnings).toContainEqual(expect.objectContaining({ code: "mcp_server_absent", subject: "tracker" }));
});

test("HTTP errors are reported with their meaning for the call", async () => {
  let status = 0;
  await using server = await sessionServer((_, method) =>
    method === "tools/call" && status !== 0 ? new Response("no", { status }) : undefined,
  );
  await using tracker = mcp({ name: "tracker", url: server.url, protocol: "legacy", tools });
  for (const [given, kind] of [
    [429, "rate_limited"],
    [403, "execution_failed"],
    [502, "unknown_outcome"],
  ] as const) {
    status = given;
    const { toolCalls } = await agentWith([tracker], [create, "Done."], { flow: "off" }).agent.run("go");
    expect(toolCalls).toMatchObject([{ isError: true, error: { kind } }]);
  }
  expect(server.log.calls).toEqual([]);
});
