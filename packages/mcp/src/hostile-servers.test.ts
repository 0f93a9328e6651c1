import { createMcpHandler } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { agentWith } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";
import { sessionServer } from "./session-server.test.helper.ts";
import { trackerServer } from "./tracker.fixture.ts";

const tools = { "*": { sideEffectClass: "external-stateful" } } as const;
const create = { toolCalls: [{ name: "create_issue", arguments: { repo: "ours", title: "Broken" } }] };
const protocols = ["auto", "legacy"] as const;
const fits = { content: [{ type: "text", text: "made" }], resultType: "complete" };

/** An answer of a hostile server to a call, by the id of its request. */
interface HostileAnswer {
  readonly name: string;
  readonly answer: (id: unknown) => Response | Promise<Response>;
}

const json = (body: unknown, status = 200): Response =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json" },
  });
const rpc = (id: unknown, rest: object): object => ({ jsonrpc: "2.0", id, ...rest });
const event = (message: unknown): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
const stream = (pieces: readonly string[], ends = true): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        if (ends) controller.close();
      },
    }),
    { headers: { "content-type": "text/event-stream" } },
  );

/** Values in place of a result, or of a part of it. */
const odd: readonly unknown[] = [
  null,
  [],
  {},
  { content: [null] },
  { content: [{ type: "text" }] },
  { content: [], structuredContent: "made", resultType: "complete" },
  { resultType: "complete", content: [{ type: "text", text: "x".repeat(1_000_000) }] },
  { resultType: "later", content: [] },
  { resultType: "input_required" },
  { resultType: "input_required", inputRequests: { a: null } },
  { resultType: "input_required", inputRequests: { a: { method: "shell/run", params: {} } } },
  { resultType: "task" },
  { resultType: "task", taskId: "t", status: "working", pollIntervalMs: -1 },
  { resultType: "task", taskId: "t", status: "working", pollIntervalMs: 1e300, ttlMs: "soon" },
  { content: [], resultType: "complete", _meta: { "bailiwick/task": { taskId: "t", status: "working" } } },
];
const answers: readonly HostileAnswer[] = [
  ...odd.map((result) => ({
    name: `result ${JSON.stringify(result).slice(0, 60)}`,
    answer: (id: unknown) => json(rpc(id, { result })),
  })),
  ...["", "{", "null"].map((body) => ({
    name: `body ${body}`,
    answer: () => json(body),
  })),
  ...[204, 404, 503].map((status) => ({
    name: `HTTP ${status}`,
    answer: () => new Response(status === 204 ? null : "no", { status }),
  })),
  { name: "another type", answer: () => new Response("made", { headers: { "content-type": "text/html" } }) },
  { name: "a circle of redirects", answer: () => new Response(null, { status: 302, headers: { location: "/mcp" } }) },
  { name: "another id", answer: () => json(rpc("another", { result: fits })) },
  { name: "no id", answer: () => json({ jsonrpc: "2.0", result: fits }) },
  { name: "an id of another type", answer: (id) => json(rpc(String(id), { result: fits })) },
  { name: "a batch", answer: (id) => json([rpc(id, { result: fits }), rpc(id, { result: fits })]) },
  { name: "a result and an error", answer: (id) => json(rpc(id, { result: fits, error: { code: 1, message: "x" } })) },
  { name: "an error without form", answer: (id) => json(rpc(id, { error: "broken" })) },
  { name: "an error with odd members", answer: (id) => json(rpc(id, { error: { code: "x", message: 7 } })) },
  {
    name: "the answer twice",
    answer: (id) => stream([event(rpc(id, { result: fits })), event(rpc(id, { result: fits }))]),
  },
  {
    name: "others first",
    answer: (id) =>
      stream([event(rpc(98, { result: fits })), event(rpc(99, { error: {} })), event(rpc(id, { result: fits }))]),
  },
  {
    name: "an answer after garbage",
    answer: (id) => stream(["data: {\n\n", ": x\r\n\r", "\n", event(rpc(id, { result: fits }))]),
  },
  { name: "an answer in bytes", answer: (id) => stream([...event(rpc(id, { result: fits }))]) },
  { name: "a huge retry", answer: (id) => stream(["retry: 99999999999999\n\n", event(rpc(id, { result: fits }))]) },
  { name: "half an event", answer: (id) => stream([event(rpc(id, { result: fits })).slice(0, 40)]) },
  { name: "an empty stream", answer: () => stream([]) },
  {
    name: "a stream that stays open after the answer",
    answer: (id) => stream([event(rpc(id, { result: fits }))], false),
  },
  {
    name: "requests that nothing answers",
    answer: (id) =>
      stream([
        event({ jsonrpc: "2.0", id: 1, method: "shell/run" }),
        event({ method: 7 }),
        event(rpc(id, { result: fits })),
      ]),
  },
  { name: "a stream without an answer that stays open", answer: () => stream([": wait\n\n"], false) },
  { name: "nothing", answer: () => new Promise(() => undefined) },
];

/** A real server whose answers to calls are replaced. */
async function hostileServer(protocol: (typeof protocols)[number]) {
  const state: { next: HostileAnswer["answer"]; calls: number } = { next: () => json({}), calls: 0 };
  const before = async (request: Request, method: string): Promise<Response | undefined> => {
    if (method !== "tools/call" && !method.startsWith("tasks/")) return undefined;
    const { id } = (await request.clone().json()) as { readonly id: unknown };
    if (method === "tools/call") state.calls += 1;
    return state.next(id);
  };
  if (protocol === "legacy") return Object.assign(await sessionServer(before), { state });
  const handler = createMcpHandler(() => trackerServer({ calls: [], cancelled: [] }));
  const server = await loopback(async (request) => {
    const body = request.method === "POST" ? await request.clone().text() : "";
    const method = (/"method":"([^"]+)"/u.exec(body) ?? [])[1] ?? "";
    return (await before(request, method)) ?? handler.fetch(request);
  });
  return Object.assign(server, { state });
}

test("for any server response, a call ends with a result or an error, and a writer is sent once [mcp.hostile-answers]", async () => {
  for (const protocol of protocols) {
    await using server = await hostileServer(protocol);
    await using client = mcp({
      name: "tracker",
      url: server.url,
      protocol,
      tools,
      timeoutMs: 500,
      reconnect: { maxAttempts: 2, initialDelayMs: 1 },
    });
    for (const { name, answer } of answers) {
      server.state.next = answer;
      server.state.calls = 0;
      const { agent } = agentWith([client], [create, "Done."], { flow: "off" });
      const { toolCalls, status } = await agent.run("go");
      expect(status, `${protocol}: ${name}`).toBe("completed");
      expect(toolCalls, `${protocol}: ${name}`).toHaveLength(1);
      expect(server.state.calls, `${protocol}: ${name}`).toBeLessThanOrEqual(1);
      // An answer without a result of the protocol is a failure.
      const isMade = toolCalls[0]?.isError === false;
      if (isMade) expect(String(toolCalls[0]?.output), `${protocol}: ${name}`).toMatch(/made|x{99}|^$/u);
    }
    // The connection can still be used.
    server.state.next = (id) => json(rpc(id, { result: fits }));
    const again = async () => (await agentWith([client], [create, "Done."], { flow: "off" }).agent.run("go")).toolCalls;
    await expect.poll(again, { message: protocol }).toMatchObject([{ isError: false }]);
  }
});
