import { createMcpHandler } from "@modelcontextprotocol/server";
import { memoryStore } from "@bailiwick/agent";
import { expect, test } from "vitest";
import { agentWith } from "./agents.test.helper.ts";
import { bookingServer } from "./elicitation.fixture.ts";
import { loopback } from "./http-server.test.helper.ts";
import type { Loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";
import type { ElicitationMode, ServerQuestion } from "./index.ts";
import { sessionServer } from "./session-server.test.helper.ts";

const book = { toolCalls: [{ name: "book", arguments: {} }] };
const tools = { book: { sideEffectClass: "external-stateful" } } as const;

/** The server in both protocols: its questions are results in the new one, and requests in the old one. */
async function servers(booked: unknown[]): Promise<Readonly<Record<"auto" | "legacy", Loopback>>> {
  const handler = createMcpHandler(() => bookingServer(booked));
  return {
    auto: await loopback((request) => handler.fetch(request)),
    legacy: await sessionServer(undefined, () => bookingServer(booked)),
  };
}

test("a server's question becomes a question of the run; a person answers it, and the call continues [mcp.questions] [feature:X102]", async () => {
  const booked: unknown[] = [];
  const both = await servers(booked);
  for (const protocol of ["auto", "legacy"] as const) {
    await using _server = both[protocol];
    const store = memoryStore();
    const make = () => mcp({ name: "booking", url: both[protocol].url, protocol, tools, elicitation: "suspend" });
    await using first = make();
    const waiting = await agentWith([first], [book, "Done."], { store, flow: "off" }).agent.run("Book.");
    expect(waiting.status).toBe("suspended");
    const [question] = waiting.interruptions;
    expect(question).toMatchObject({ kind: "question", toolName: "book" });
    expect(question?.question.title).toContain('The MCP server "booking" asks: How many seats?');
    expect(JSON.stringify(question?.answerJsonSchema)).toContain("seats");
    expect(booked).toEqual([]);
    // Another process continues.
    await using second = make();
    const other = agentWith([second], ["Done."], { store, flow: "off" });
    const wrong = question?.answer({ action: "accept", content: { seats: 0 } }) as never;
    await expect(other.agent.resume(waiting.runId, [wrong])).rejects.toMatchObject({ code: "ANSWER_INVALID" });
    const right = question?.answer({ action: "accept", content: { seats: 2 } }) as never;
    const done = await other.agent.resume(waiting.runId, [right]);
    expect(done.toolCalls).toMatchObject([{ isError: false, output: "booked 2" }]);
    expect(booked.splice(0)).toEqual([{ seats: 2 }]);
  }
});

test("a person may decline a server's question [feature:X102]", async () => {
  const booked: unknown[] = [];
  const both = await servers(booked);
  for (const protocol of ["auto", "legacy"] as const) {
    await using _server = both[protocol];
    await using client = mcp({ name: "booking", url: both[protocol].url, protocol, tools, elicitation: "suspend" });
    const { agent } = agentWith([client], [book, "Done."], { flow: "off" });
    const waiting = await agent.run("Book.");
    const done = await agent.resume(waiting.runId, [waiting.interruptions[0]?.answer({ action: "decline" }) as never]);
    expect(done.status).toBe("completed");
    expect(booked.splice(0)).toEqual(["decline"]);
  }
});

test("a function answers at once, and receives the server and its question [feature:X102]", async () => {
  const booked: unknown[] = [];
  const both = await servers(booked);
  for (const protocol of ["auto", "legacy"] as const) {
    await using _server = both[protocol];
    const asked: ServerQuestion[] = [];
    const elicitation: ElicitationMode = (question) => {
      asked.push(question);
      return { action: "accept", content: { seats: 3 } };
    };
    await using client = mcp({ name: "booking", url: both[protocol].url, protocol, tools, elicitation });
    const { toolCalls } = await agentWith([client], [book, "Done."], { flow: "off" }).agent.run("Book.");
    expect(toolCalls).toMatchObject([{ isError: false, output: "booked 3" }]);
    expect(asked).toMatchObject([{ server: "booking", message: "How many seats?" }]);
    expect(booked.splice(0)).toEqual([{ seats: 3 }]);
  }
});

test("without an approver the server gets a decline, and the model is not called [mcp.questions] [feature:X102]", async () => {
  const booked: unknown[] = [];
  const both = await servers(booked);
  for (const protocol of ["auto", "legacy"] as const) {
    await using _server = both[protocol];
    await using client = mcp({ name: "booking", url: both[protocol].url, protocol, tools });
    const { agent, model } = agentWith([client], [book, "Done."], { flow: "off" });
    const { toolCalls, status } = await agent.run("Book.");
    expect(status).toBe("completed");
    expect(toolCalls).toMatchObject([{ isError: true, error: { kind: "execution_failed" } }]);
    expect(model.requests).toHaveLength(2);
    expect(booked).toEqual([]);
  }
});
