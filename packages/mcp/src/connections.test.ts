import { createMcpHandler } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { acting, agentWith, resultsOf, until } from "./agents.test.helper.ts";
import { backoff } from "./connection/backoff.ts";
import { createConnection } from "./connection/connection.ts";
import type { OpenClient } from "./connection/open-client.ts";
import { streamReconnection } from "./connection/stream-reconnection.ts";
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
const toolPosts = (requests: readonly string[]): number => requests.filter((one) => one === "POST tools/call").length;

test("field-bug:PB-mcp-06 an expired session is opened anew without its old name; a failed writer is not sent again, a read is", async () => {
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

test("field-bug:PB-mcp-06 a session that expired between two runs is opened anew by the next", async () => {
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

test("a lost connection is tried as often as was said; the first one is tried once", async () => {
  let attempts = 0;
  let isThere = false;
  let end = (): void => undefined;
  const openOne = async (): Promise<OpenClient> => {
    attempts += 1;
    if (!isThere) throw new Error("down");
    const lost = new Promise<void>((resolve) => {
      end = resolve;
    });
    return { lost, close: async () => undefined } as unknown as OpenClient;
  };
  const options = { name: "tracker", url: "https://x.test/mcp", reconnect: { initialDelayMs: 1, maxAttempts: 3 } };
  const connection = createConnection(options, { onElicitation: undefined, onToolsChanged: () => undefined }, openOne);
  const { signal } = new AbortController();
  await expect(connection.get(signal)).rejects.toThrow("down");
  expect(attempts).toBe(1);
  isThere = true;
  await connection.get(signal);
  end();
  await until(() => connection.current === undefined, "the loss is noticed");
  isThere = false;
  await expect(connection.get(signal)).rejects.toThrow("down");
  expect(attempts).toBe(5);
});

test("field-bug:PB-mcp-07 a server that was down is there once it is up, whatever failed before", async () => {
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
  // What comes up again knows nothing of before.
  server.expire();
  server.mend();
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
});

test("field-bug:PB-mcp-07 the late end of an old connection does not end the one after it", async () => {
  const made: { readonly end: () => void; readonly open: OpenClient }[] = [];
  const openOne = async (): Promise<OpenClient> => {
    let end = (): void => undefined;
    const lost = new Promise<void>((resolve) => {
      end = resolve;
    });
    const open = { lost, close: async () => undefined } as unknown as OpenClient;
    made.push({ end, open });
    return open;
  };
  const options = { name: "tracker", url: "https://x.test/mcp" };
  const connection = createConnection(options, { onElicitation: undefined, onToolsChanged: () => undefined }, openOne);
  const { signal } = new AbortController();
  const old = await connection.get(signal);
  await connection.drop(old);
  const next = await connection.get(signal);
  made[0]?.end();
  await old.lost;
  await new Promise(setImmediate);
  expect(connection.current).toBe(next);
  expect(await connection.get(signal)).toBe(next);
  made[1]?.end();
  await until(() => connection.current === undefined, "the connection that is open is noticed to be lost");
});

test("field-bug:PB-mcp-10 a stream that ends at once is opened again after growing delays, and not for ever", () => {
  const delays: number[] = [];
  const { schedule, heard } = streamReconnection(
    backoff({ initialDelayMs: 100, maxDelayMs: 1_000, maxAttempts: 6 }),
    (callback, ms) => {
      delays.push(ms);
      callback();
      return () => undefined;
    },
  );
  // What opens looks like a success each time, and ends: the transport asks again.
  let isEnded = false;
  const ends = (): void => {
    const before = delays.length;
    schedule(ends, 1, 0);
    if (delays.length === before) isEnded = true;
  };
  ends();
  expect(isEnded).toBe(true);
  expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  heard();
  schedule(() => undefined, 1, 0);
  expect(delays.at(-1)).toBe(100);
});

test("field-bug:PB-mcp-10 calls work beside a stream that the server ends at once", async () => {
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

test("[mcp.sent-once] a writer whose answer is lost has an unknown outcome and is sent once; a read is sent again", async () => {
  for (const protocol of ["legacy", "auto"] as const) {
    const log: TrackerLog = { calls: [], cancelled: [] };
    const handler = createMcpHandler(() => trackerServer(log));
    let lose = true;
    await using server = await loopback(async (request) => {
      const isCall = request.method === "POST" && (await request.clone().text()).includes('"tools/call"');
      const response = await handler.fetch(request);
      if (!isCall || !lose) return response;
      // The server did what it was asked to; its answer is lost on the way.
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

test("a server that is not there is a typed error that says where; an optional one is done without", async () => {
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

test("refusals by HTTP say what they mean for the call", async () => {
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
